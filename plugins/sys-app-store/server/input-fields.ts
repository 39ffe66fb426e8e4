import type { JsonSchema } from '@trellis/sdk/shared';

/** A field of the `input` of a plugin in the v1 API, and the setting behind it. */
interface InputField {
  readonly key: string;
  readonly label: string;
  readonly required: boolean;
  readonly setting: string;
  readonly schema: JsonSchema;
  /** The field is a checkbox that is ticked while the setting has this value. */
  readonly is?: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/** The flat list of fields that published clients know. A list among other fields is none of them: `input` alone has it. */
export function toFields(schema: JsonSchema) {
  return fieldsOf(schema).map(({ key, label, required, schema: of, is }) => ({
    key,
    label,
    placeholder: of['x-ui']?.placeholder ?? label,
    type: is === undefined ? inputTypeOf(of) : 'Checkbox',
    required,
  }));
}

/** Settings as `input` has them: those that published clients know by other names under these. */
export function toInputValues(of: JsonSchema, values: Values): Values {
  const fields = fieldsOf(of);
  const inFields = new Set(fields.map(({ setting }) => setting));
  const told = fields.flatMap(({ key, setting, schema, is }) => {
    const value = values[setting];
    if (is !== undefined) return [[key, (value ?? schema.default) === is] as const];
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries([...Object.entries(values).filter(([key]) => !inFields.has(key)), ...told]);
}

/**
 * The settings that an `input` means, by the names that published clients know and by those of the settings. Numbers and checkboxes may be the
 * texts that forms give.
 */
export function toSettings(schema: JsonSchema | undefined, input: Values): Values {
  const fields = fieldsOf(schema ?? {});
  const renamed = new Map(fields.filter(({ is }) => is === undefined).map((field) => [field.key, field]));
  const boxes = fields.filter(({ key, is }) => is !== undefined && Object.hasOwn(input, key));
  const boxKeys = new Set(boxes.map(({ key }) => key));
  const settings = Object.entries(input)
    .filter(([key]) => !boxKeys.has(key))
    .map(([key, value]) => {
      const { setting, schema: of } = renamed.get(key) ?? { setting: key, schema: schema?.properties?.[key] };
      return [setting, ofItsType(value, of)] as const;
    });
  const ticked = [...new Set(boxes.map(({ setting }) => setting))].flatMap((setting) => {
    const value = tickedValue(
      boxes.filter((box) => box.setting === setting),
      input,
    );
    return value === undefined ? [] : [[setting, value] as const];
  });
  return Object.fromEntries([...settings, ...ticked]);
}

/** What checkboxes of one setting say of it: the value of the first that is ticked. Without any, it is what none of them stands for. */
function tickedValue(boxes: readonly InputField[], input: Values): unknown {
  const ticked = boxes.find(({ key }) => asBoolean(input[key]) === true);
  if (ticked !== undefined) return ticked.is;
  const [box] = boxes;
  if (typeof box?.is === 'boolean') return !box.is;
  const usual = box?.schema.default;
  return (box?.schema['x-v1'] ?? []).some(({ is }) => is === usual) ? undefined : usual;
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema): readonly InputField[] {
  return Object.entries(properties)
    .filter(([, { type }]) => type !== 'array' && type !== 'object')
    .flatMap(([setting, schema]) =>
      (schema['x-v1'] ?? [{ key: setting }]).map((field) => ({
        key: field.key,
        label: field.title ?? schema.title ?? field.key,
        required: field.required ?? required.includes(setting),
        setting,
        schema,
        is: field.is,
      })),
    );
}

function inputTypeOf({ type, format }: JsonSchema): string {
  if (format === 'secret') return 'Password';
  if (type === 'boolean') return 'Checkbox';
  return type === 'number' || type === 'integer' ? 'Number' : 'SingleLineText';
}

function ofItsType(value: unknown, schema: JsonSchema | undefined): unknown {
  const type = schema && inputTypeOf(schema);
  if (type === 'Checkbox') return asBoolean(value);
  return type === 'Number' && typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)
    ? Number(value)
    : value;
}

function asBoolean(value: unknown): unknown {
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}
