import type { JsonSchema } from '@trellis/sdk/shared';
import type { ApiDocument } from '../shared/index.ts';

/** The part itself, or the part that it refers to. */
export function resolved<Part extends object>(document: ApiDocument, part: object): Part {
  if (!('$ref' in part)) return part as Part;
  const names = String(part.$ref).split('/').slice(1);
  const found = names.reduce<unknown>(
    (place, name) => (place as Readonly<Record<string, unknown>> | undefined)?.[name],
    document,
  );
  return (found ?? {}) as Part;
}

/** A schema as a short text: `string or null`, `list of CityResponse`. */
export function typeText(schema: JsonSchema): string {
  if ('$ref' in schema) return String(schema.$ref).split('/').at(-1) ?? '';
  if (schema.enum !== undefined) return schema.enum.map(String).join(' | ');
  if (schema.items !== undefined) return `${typeText(schema.items)}[]`;
  if (schema.type === undefined) return 'any';
  return [schema.type].flat().join(' | ');
}

/** A schema's fields, including those of the schemas that it combines; empty if it is not an object. */
export function fieldsOf(
  document: ApiDocument,
  schema: JsonSchema,
): readonly {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly isRequired: boolean;
}[] {
  const parts = partsOf(document, schema);
  const required = new Set(parts.flatMap((part) => part.required ?? []));
  return parts.flatMap((part) =>
    Object.entries(part.properties ?? {}).map(([name, field]) => ({
      name,
      type: typeText(field),
      description: field.description ?? '',
      isRequired: required.has(name),
    })),
  );
}

function partsOf(document: ApiDocument, schema: JsonSchema): readonly JsonSchema[] {
  const whole = resolved<JsonSchema>(document, schema);
  return [whole, ...(whole.allOf ?? []).flatMap((part) => partsOf(document, part))];
}
