import {
  defineErrors,
  type JsonSchema,
  type PluginEntity,
  type PluginSettingsForm,
} from '@trellis/sdk/shared';

const inputErrors = defineErrors({
  INPUT_NOT_JSON: { status: 400, message: "'input' is neither a JSON object nor a list of them." },
});

type Values = Readonly<Record<string, unknown>>;

export function isActive({ state }: PluginEntity): boolean {
  return state === 'enabled' || state === 'degraded';
}

/** Whether published clients mean this plugin: by its title, or by that of a channel for which they know a plugin of its own. */
export function isCalled({ name, labels }: PluginEntity, title: string): boolean {
  return name === title || Object.values(labels['notificationChannels'] ?? {}).includes(title);
}

/** A plugin as the v1 API tells of it. Nobody rates, sells or draws plugins here, so that those fields are empty. */
export function toContractPlugin(plugin: PluginEntity, form: PluginSettingsForm | undefined) {
  const category = plugin.category.charAt(0).toUpperCase() + plugin.category.slice(1);
  return {
    id: plugin.id,
    title: plugin.name,
    description: plugin.description,
    active: isActive(plugin),
    rating: null,
    version: plugin.version,
    docs: plugin.homepage ?? null,
    status: 'install',
    status_details: plugin.reason ?? null,
    logo: null,
    icon: plugin.icon ?? null,
    tags: category,
    category,
    input_schema: form ? JSON.stringify(toInputSchema(plugin.name, form)) : null,
    input: form?.isSet === true ? JSON.stringify(toInput(form)) : null,
    creator: plugin.author ?? null,
    creator_website: plugin.homepage ?? null,
    price: null,
  };
}

/**
 * The settings that an `input` means, as JSON or as its text: a list where the plugin has nothing but a list, and numbers also as the
 * text that fields of forms give.
 *
 * @throws TrellisError `INPUT_NOT_JSON`.
 */
export function readInput(input: unknown, schema: JsonSchema | undefined): Values {
  let parsed = input;
  try {
    if (typeof input === 'string') parsed = JSON.parse(input);
  } catch (cause) {
    throw inputErrors.create('INPUT_NOT_JSON', {}, cause);
  }
  const list = onlyList(schema);
  if (Array.isArray(parsed) && list !== undefined) return { [list.key]: parsed };
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw inputErrors.create('INPUT_NOT_JSON');
  return Object.fromEntries(
    Object.entries(parsed).map(([key, value]) => [key, withNumber(value, schema?.properties?.[key])]),
  );
}

function withNumber(value: unknown, field: JsonSchema | undefined): unknown {
  const isNumber = field !== undefined && inputTypeOf(field) === 'Number';
  return isNumber && typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

function toInput({ schema, values }: PluginSettingsForm): unknown {
  const list = onlyList(schema);
  return list === undefined ? values : (values[list.key] ?? []);
}

/** The one list of sets of fields that is all a plugin has to set, as the channels of a chat; undefined for any other plugin. */
function onlyList(schema: JsonSchema | undefined) {
  const [only, ...others] = Object.entries(schema?.properties ?? {});
  if (only === undefined || others.length > 0) return undefined;
  const [key, { type, items }] = only;
  return type === 'array' && items?.properties !== undefined ? { key, items } : undefined;
}

/** The flat list of fields that published clients know. A list among other fields is none of them: `input` alone has it. */
function toInputSchema(title: string, { schema, testable }: PluginSettingsForm) {
  const save = { label: 'Save', key: 'save', actionType: 'SUBMIT', type: 'Button' };
  const test = { label: 'Test', key: 'test', actionType: 'TEST', type: 'Button' };
  const list = onlyList(schema);
  return {
    title,
    ...(list !== undefined && { array: true }),
    items: toFields(list?.items ?? schema),
    actions: testable ? [test, save] : [save],
    msgOnInstall: `${title} is set up.`,
    msgOnUninstall: `${title} is no longer set up.`,
  };
}

function toFields({ properties = {}, required = [] }: JsonSchema) {
  return Object.entries(properties)
    .filter(([, { type }]) => type !== 'array' && type !== 'object')
    .map(([key, field]) => ({
      key,
      label: field.title ?? key,
      placeholder: field['x-ui']?.placeholder ?? field.title ?? key,
      type: inputTypeOf(field),
      required: required.includes(key),
    }));
}

function inputTypeOf({ type, format }: JsonSchema): string {
  if (format === 'secret') return 'Password';
  if (type === 'boolean') return 'Checkbox';
  return type === 'number' || type === 'integer' ? 'Number' : 'SingleLineText';
}
