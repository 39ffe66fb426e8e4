import type { JsonSchema, SettingsSchema } from './json-schema.ts';
import type { SchemaProblem } from './schema-problem.ts';
import { validateSchema, type SchemaValidator } from './validate-schema.ts';
import { isRecord, setOwn } from './values.ts';

/** Valid settings with defaults filled in, or all their problems. */
export type SettingsOutcome =
  | { readonly kind: 'valid'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'invalid'; readonly problems: readonly SchemaProblem[] };

/**
 * Fills in defaults and validates.
 *
 * @param validate another validator of the same dialect, such as one compiled by ajv where code generation is allowed.
 * @public
 */
export function validateSettings(
  schema: SettingsSchema,
  value: unknown,
  validate: SchemaValidator = validateSchema,
): SettingsOutcome {
  const filled = applyDefaults(schema, value);
  const problems = validate(schema, filled);
  return problems.length === 0 && isRecord(filled)
    ? { kind: 'valid', value: filled }
    : { kind: 'invalid', problems };
}

/**
 * A copy in which absent properties have their defaults. An absent object is made only when something in it has a default;
 * existing values are never changed.
 */
export function applyDefaults(schema: JsonSchema, value: unknown): unknown {
  if (value === undefined) return defaultOf(schema);
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => applyDefaults(items, item));
  }
  if (!isRecord(value) || schema.properties === undefined) return value;
  const filled: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) setOwn(filled, key, child);
  for (const [name, child] of Object.entries(schema.properties)) {
    const present = Object.hasOwn(filled, name) ? filled[name] : undefined;
    const completed = applyDefaults(child, present);
    if (completed !== undefined) setOwn(filled, name, completed);
  }
  return filled;
}

function defaultOf(schema: JsonSchema): unknown {
  if (schema.default !== undefined) return copyJson(schema.default);
  if (schema.properties === undefined) return undefined;
  const filled = applyDefaults(schema, {}) as Record<string, unknown>;
  return Object.keys(filled).length > 0 ? filled : undefined;
}

/** Defaults are copied, so that changing a value cannot change the schema. */
function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) setOwn(copy, key, copyJson(child));
  return copy;
}
