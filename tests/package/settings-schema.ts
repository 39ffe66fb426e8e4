import {
  type JsonSchema,
  schemaFormats,
  schemaKeywords,
  schemaTypes,
  type UiHints,
  uiHintWords,
  type V1Field,
} from '@trellis/core';

/** The place of the schema of settings within a schema that contains it. */
export const settingsReference = '#/$defs/field';

const any = {};
const text = { type: 'string' };
const flag = { type: 'boolean' };
const number = { type: 'number' };
const count = { type: 'integer', minimum: 0 };
const texts = { type: 'array', items: text };
const field = { $ref: settingsReference };
const fields = { type: 'object', additionalProperties: field };
const oneOrMore = { type: 'array', minItems: 1, items: field };
const expression = { type: 'string', format: 'regex' };

/** What a value of `default`, `enum` and the like may be is a matter of the schema around it. */
const values = { type: 'array', items: any };

const hints: Readonly<Record<keyof UiHints, object>> = {
  widget: { enum: ['textarea'] },
  order: number,
  group: text,
  placeholder: text,
  help: text,
  labels: { ...texts, uniqueItems: true },
  target: flag,
  hidden: flag,
  locked: flag,
  when: closed(
    { property: text, oneOf: values },
    { property: 'The name of the other field.', oneOf: 'The values with which the field is shown.' },
    ['property', 'oneOf'],
  ),
};

const v1: Readonly<Record<keyof V1Field, object>> = {
  key: { ...text, minLength: 1 },
  title: text,
  required: flag,
  is: { type: ['string', 'number', 'boolean'] },
};

const v1Words: Readonly<Record<keyof V1Field, string>> = {
  key: 'The name there.',
  title: 'The label there; by default the title of the setting.',
  required: 'Whether forms there require it, in addition to what the schema requires.',
  is: 'Makes it a checkbox that is ticked while the setting has this value.',
};

const keywords: Readonly<Record<keyof JsonSchema, object>> = {
  $schema: text,
  $id: text,
  title: text,
  description: text,
  default: any,
  examples: values,
  type: {
    anyOf: [{ enum: schemaTypes }, { type: 'array', items: { enum: schemaTypes }, uniqueItems: true }],
  },
  enum: { ...values, minItems: 1, uniqueItems: true },
  const: any,
  properties: fields,
  patternProperties: { ...fields, propertyNames: expression },
  propertyNames: field,
  additionalProperties: { anyOf: [flag, field] },
  required: { ...texts, uniqueItems: true },
  minProperties: count,
  maxProperties: count,
  items: field,
  minItems: count,
  maxItems: count,
  uniqueItems: flag,
  minLength: count,
  maxLength: count,
  pattern: expression,
  format: { enum: schemaFormats },
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: { type: 'number', exclusiveMinimum: 0 },
  anyOf: oneOrMore,
  oneOf: oneOrMore,
  allOf: oneOrMore,
  not: field,
  'x-ui': closed(hints, uiHintWords),
  'x-page': flag,
  'x-names': text,
  'x-v1': { type: 'array', items: closed(v1, v1Words, ['key']) },
};

/** An object that has no other keys than these. */
function closed<Key extends string>(
  shapes: Readonly<Record<Key, object>>,
  words: Readonly<Record<Key, string>>,
  required: readonly Key[] = [],
): object {
  return { type: 'object', required, additionalProperties: false, properties: withWords(shapes, words) };
}

function withWords<Key extends string>(
  shapes: Readonly<Record<Key, object>>,
  words: Readonly<Record<Key, string>>,
): object {
  return Object.fromEntries(
    Object.entries<object>(shapes).map(([key, shape]) => [key, { description: words[key as Key], ...shape }]),
  );
}

/** The schema of a setting, as the host reads schemas: its subset of JSON Schema, with a description of each keyword. */
export function fieldSchema(): object {
  return closed(keywords, schemaKeywords);
}
