import {
  defineErrors,
  knownPart,
  type JsonSchema,
  type PluginEntity,
  type PluginSettingsForm,
} from '@trellis/sdk/shared';
import { toFields, toInputValues, toSettings } from './input-fields.ts';

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
 * The settings that an `input` means, as JSON or as its text: a list where the plugin has nothing but a list. Fields of published clients
 * that the plugin does not have are left out.
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
  const isList = Array.isArray(parsed);
  if (typeof parsed !== 'object' || parsed === null || (isList && list === undefined))
    throw inputErrors.create('INPUT_NOT_JSON');
  const settings =
    isList && list !== undefined ? { [list.key]: parsed } : toSettings(schema, parsed as Values);
  return schema === undefined ? settings : knownPart(schema, settings).value;
}

function toInput({ schema, values }: PluginSettingsForm): unknown {
  const list = onlyList(schema);
  return list === undefined ? toInputValues(schema, values) : (values[list.key] ?? []);
}

/** The one list of sets of fields that is all a plugin has to set, as the channels of a chat; undefined for any other plugin. */
function onlyList(schema: JsonSchema | undefined) {
  const [only, ...others] = Object.entries(schema?.properties ?? {});
  if (only === undefined || others.length > 0) return undefined;
  const [key, { type, items }] = only;
  return type === 'array' && items?.properties !== undefined ? { key, items } : undefined;
}

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
