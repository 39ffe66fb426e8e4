import {
  isRecord,
  type JsonSchema,
  meantInstead,
  type PluginManifest,
  pointer,
  sameJson,
  schemaKeywords,
  uiHintWords,
  validateSchema,
} from '@trellis/core';
import { manifestPlaces } from './json-places.ts';
import { at } from './read-manifest.ts';

/** A mistake in a schema: where it is, and whether its key or its value is meant. */
interface Slip {
  readonly path: string;
  readonly of: 'key' | 'value';
  readonly message: string;
}

/**
 * Mistakes in the schema of the settings with which the host would run the plugin, and people would meet a wrong form: defaults that
 * their own schema refuses, unknown keys, labels that do not tell values apart, and fields that depend on none.
 *
 * @returns a line for each
 */
export async function settingsSlips(root: string, { settings }: PluginManifest): Promise<readonly string[]> {
  if (settings === undefined) return [];
  const places = await manifestPlaces(root);
  return slipsIn(settings, '/settings', 'the settings', {}).map(({ path, of, message }) => {
    const place = of === 'key' ? places.ofKey(path) : places.ofValue(path);
    return `${at(place)} ${message}`;
  });
}

/**
 * @param named the field, for messages
 * @param siblings the fields of the same object
 */
function slipsIn(
  schema: JsonSchema,
  path: string,
  named: string,
  siblings: Readonly<Record<string, JsonSchema>>,
): readonly Slip[] {
  return [
    ...wrongDefault(schema, path, named),
    ...unknownKeys(schema, path),
    ...labelSlips(schema, path, named),
    ...absentCondition(schema, path, named, siblings),
    ...childrenOf(schema).flatMap(({ child, steps, name }) =>
      slipsIn(
        child,
        steps.reduce<string>(pointer, path),
        name === undefined ? named : `'${name}'`,
        name === undefined ? siblings : (schema.properties ?? {}),
      ),
    ),
  ];
}

interface Child {
  readonly child: JsonSchema;
  readonly steps: readonly (string | number)[];
  /** The name of a property. */
  readonly name?: string;
}

function childrenOf(schema: JsonSchema): readonly Child[] {
  const { properties = {}, patternProperties = {}, items, not, additionalProperties } = schema;
  const single = Object.entries({ items, not, additionalProperties }).flatMap(([keyword, child]) =>
    isRecord(child) ? [{ child, steps: [keyword] }] : [],
  );
  const branches = (['anyOf', 'oneOf', 'allOf'] as const).flatMap((keyword) =>
    (schema[keyword] ?? []).map((child, index) => ({ child, steps: [keyword, index] })),
  );
  return [
    ...Object.entries(properties).map(([name, child]) => ({ child, steps: ['properties', name], name })),
    ...Object.entries(patternProperties).map(([name, child]) => ({
      child,
      steps: ['patternProperties', name],
    })),
    ...single,
    ...branches,
  ];
}

function wrongDefault(schema: JsonSchema, path: string, named: string): readonly Slip[] {
  if (schema.default === undefined) return [];
  return validateSchema(schema, schema.default).map((problem) => ({
    path: `${path}/default${problem.path}`,
    of: 'value',
    message: `The default of ${named} ${problem.message}${problem.path === '' ? '' : ` at '${problem.path}'`}: its own schema refuses it.`,
  }));
}

function unknownKeys(schema: JsonSchema, path: string): readonly Slip[] {
  const hints: unknown = schema['x-ui'];
  return [
    ...unknownIn(schema, path, Object.keys(schemaKeywords), 'no keyword of settings'),
    ...(hints === undefined || isRecord(hints)
      ? unknownIn(hints ?? {}, pointer(path, 'x-ui'), Object.keys(uiHintWords), "no key of 'x-ui'")
      : [{ path: pointer(path, 'x-ui'), of: 'value', message: "'x-ui' must be an object." } as const]),
  ];
}

function unknownIn(object: object, path: string, known: readonly string[], what: string): readonly Slip[] {
  return Object.keys(object)
    .filter((key) => !known.includes(key))
    .map((key) => ({
      path: pointer(path, key),
      of: 'key',
      message: `'${key}' is ${what}${meantInstead(key, known)}`,
    }));
}

function labelSlips(schema: JsonSchema, path: string, named: string): readonly Slip[] {
  const { enum: values = [] } = schema;
  const labels = schema['x-ui']?.labels;
  const twice = values.flatMap((value, index): readonly Slip[] =>
    values.findIndex((other) => sameJson(other, value)) === index
      ? []
      : [
          {
            path: pointer(pointer(path, 'enum'), index),
            of: 'value',
            message: `${JSON.stringify(value)} stands twice among the values of ${named}.`,
          },
        ],
  );
  if (labels === undefined) return twice;
  if (labels.length !== values.length)
    return [
      ...twice,
      {
        path: `${path}/x-ui/labels`,
        of: 'key',
        message: `'labels' has ${labels.length} ${labels.length === 1 ? 'text' : 'texts'} for ${values.length} values of ${named}; write one for each, in their order.`,
      },
    ];
  const same = labels.flatMap((label, index): readonly Slip[] =>
    labels.indexOf(label) === index
      ? []
      : [
          {
            path: pointer(`${path}/x-ui/labels`, index),
            of: 'value',
            message: `'${label}' is the label of two values of ${named}; people cannot tell them apart.`,
          },
        ],
  );
  return [...twice, ...same];
}

function absentCondition(
  schema: JsonSchema,
  path: string,
  named: string,
  siblings: Readonly<Record<string, JsonSchema>>,
): readonly Slip[] {
  const property = schema['x-ui']?.when?.property;
  if (property === undefined || Object.hasOwn(siblings, property)) return [];
  return [
    {
      path: `${path}/x-ui/when/property`,
      of: 'value',
      message: `'${property}' is no setting beside ${named}${meantInstead(property, Object.keys(siblings))}`,
    },
  ];
}
