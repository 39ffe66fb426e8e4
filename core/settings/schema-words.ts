import type { JsonSchema, UiHints } from './json-schema.ts';

/** The keywords of settings' schemas, with what they say to an author. All others are refused, except unknown `x-` keywords. */
export const schemaKeywords: Readonly<Record<keyof JsonSchema, string>> = {
  $schema: 'The dialect; the product reads 2020-12.',
  $id: 'A name of the schema. The product does not read it.',
  title: 'The label of the field.',
  description: 'A sentence or two below the field.',
  default: 'The value where nobody has set one. The schema itself must accept it.',
  examples: 'Values that it may have, for people who read the schema.',
  type: 'The type, or several.',
  enum: 'All values that are accepted; the field becomes a choice.',
  const: 'The only value that is accepted.',
  properties: 'The fields of an object, by name.',
  patternProperties: 'The schemas of all fields whose names match a regular expression.',
  propertyNames: 'What the names of an object’s fields must be.',
  additionalProperties: 'Whether an object may have other fields, or the schema of those.',
  required: 'The names of the fields that must have a value.',
  minProperties: 'The least number of fields.',
  maxProperties: 'The greatest number of fields.',
  items: 'The schema of each item of a list.',
  minItems: 'The least number of items.',
  maxItems: 'The greatest number of items.',
  uniqueItems: 'Whether no two items may be the same.',
  minLength: 'The least number of characters, as Unicode counts them.',
  maxLength: 'The greatest number of characters, as Unicode counts them.',
  pattern: 'A regular expression that the text must match somewhere.',
  format: 'What kind of text it is. A "secret" is encrypted where it is stored and masked in answers.',
  minimum: 'The least number.',
  maximum: 'The greatest number.',
  exclusiveMinimum: 'The number must be greater than this.',
  exclusiveMaximum: 'The number must be less than this.',
  multipleOf: 'The number must be a multiple of this.',
  anyOf: 'At least one of these schemas must accept the value.',
  oneOf: 'Just one of these schemas must accept the value.',
  allOf: 'All of these schemas must accept the value.',
  not: 'A schema that must not accept the value.',
  'x-ui': 'How the form shows the field.',
  'x-page':
    'Whether the web half gets this setting too, as `ctx.settings`. Every page then knows it, even before anybody signs in, so it must hold no secret.',
  'x-names':
    'The registry of which the text names an item: before the plugin of that item is removed, people see where it is named.',
  'x-v1': 'The fields of the setting in the v1 API; by default one of the same name.',
};

/** The keys of `x-ui`, with what they say to an author. */
export const uiHintWords: Readonly<Record<keyof UiHints, string>> = {
  widget: 'The control: "textarea" for a text of several lines.',
  order: 'Its place in the form: lower comes first.',
  group: 'The heading under which the form shows the field.',
  placeholder: 'What the empty field shows.',
  help: 'A sentence beside the field.',
  labels: 'The labels for the values of `enum`, in the same order.',
  target:
    'Whether the setting decides where secrets are sent: when it changes, stored secrets must be entered again. By default so for addresses and hosts.',
  hidden: 'Leaves the field out of forms: it is edited elsewhere.',
  locked: 'Shows the field without letting people change it, because the server’s configuration decides it.',
  when: 'Shows the field only while another field of the same object has one of these values.',
};
