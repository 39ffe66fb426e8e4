import { applyDefaults, type JsonSchema } from '@trellis/core';
import { asRecord } from '../base/as-record.ts';

/** One property of an object as a form field. */
export interface Field {
  readonly name: string;
  /** JSON pointer. */
  readonly path: string;
  readonly label: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface FieldGroup {
  /** Empty for the ungrouped fields, which come first. */
  readonly name: string;
  readonly fields: readonly Field[];
}

/** The fields to show for a value, in order: by `x-ui.order`, then by their order in the schema. */
export function fieldsOf(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
): readonly Field[] {
  const required = new Set(schema.required);
  const shown = asRecord(applyDefaults(schema, value));
  return Object.entries(schema.properties ?? {})
    .filter(([, property]) => isWanted(property, shown))
    .map(([name, property]) => ({
      name,
      path: `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      label: property.title ?? labelOf(name),
      required: required.has(name),
      schema: property,
    }))
    .sort((left, right) => orderOf(left.schema) - orderOf(right.schema));
}

export function groupsOf(fields: readonly Field[]): readonly FieldGroup[] {
  const names = [...new Set(['', ...fields.map(groupOf)])];
  return names
    .map((name) => ({ name, fields: fields.filter((field) => groupOf(field) === name) }))
    .filter((group) => group.fields.length > 0);
}

function isWanted(schema: JsonSchema, value: Readonly<Record<string, unknown>>): boolean {
  const { when, hidden } = schema['x-ui'] ?? {};
  return hidden !== true && (when === undefined || when.oneOf.includes(value[when.property]));
}

function groupOf({ schema }: Field): string {
  return schema['x-ui']?.group ?? '';
}

function orderOf(schema: JsonSchema): number {
  return schema['x-ui']?.order ?? 100;
}

/** `smtpHost` and `smtp_host` become "Smtp host". */
function labelOf(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
