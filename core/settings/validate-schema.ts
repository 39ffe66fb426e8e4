import { formats } from './formats.ts';
import type { JsonSchema, JsonType } from './json-schema.ts';
import { pointer, type SchemaProblem } from './schema-problem.ts';
import { isRecord, sameJson } from './values.ts';

/** Deeper values are refused, so that a hostile value cannot overflow the stack. */
const DEPTH_LIMIT = 64;

/** The present place in the value, and where problems are collected. */
class Place {
  constructor(
    readonly path: string,
    readonly depth: number,
    readonly problems: SchemaProblem[],
  ) {}

  report(keyword: string, message: string, params?: Readonly<Record<string, unknown>>): void {
    this.problems.push({ path: this.path, keyword, message, ...(params === undefined ? {} : { params }) });
  }

  below(step: string | number): Place {
    return new Place(pointer(this.path, step), this.depth + 1, this.problems);
  }

  /** The problems of a schema at this place, without collecting them. */
  trial(schema: JsonSchema, value: unknown): readonly SchemaProblem[] {
    const place = new Place(this.path, this.depth + 1, []);
    visit(schema, value, place);
    return place.problems;
  }
}

/** Checks a value against a schema and returns every problem; none means valid. */
export type SchemaValidator = (schema: JsonSchema, value: unknown) => readonly SchemaProblem[];

/**
 * Validates a value by walking the schema. It generates no code, so it runs under a strict content-security policy.
 *
 * @returns every problem, not only the first; none means valid.
 */
export const validateSchema: SchemaValidator = (schema, value) => {
  const root = new Place('', 0, []);
  visit(schema, value, root);
  return root.problems;
};

function visit(schema: JsonSchema, value: unknown, place: Place): void {
  if (place.depth > DEPTH_LIMIT) {
    place.report('depth', `must not be nested deeper than ${DEPTH_LIMIT} levels`, { limit: DEPTH_LIMIT });
    return;
  }
  const types = schema.type === undefined ? undefined : ([schema.type].flat() as readonly JsonType[]);
  if (types !== undefined && !types.some((type) => hasType(value, type))) {
    place.report('type', `must be ${types.map((type) => TYPE_NAMES[type]).join(' or ')}`, { types });
    return; // The other keywords would only repeat the problem.
  }
  if (schema.enum !== undefined && !schema.enum.some((allowed) => sameJson(allowed, value))) {
    const allowed = schema.enum.map((item) => JSON.stringify(item)).join(', ');
    place.report('enum', `must be one of ${allowed}`, { allowed: schema.enum });
  }
  if (schema.const !== undefined && !sameJson(schema.const, value)) {
    place.report('const', `must be ${JSON.stringify(schema.const)}`, { allowed: [schema.const] });
  }
  if (typeof value === 'string') checkText(schema, value, place);
  else if (typeof value === 'number') checkNumber(schema, value, place);
  else if (Array.isArray(value)) checkArray(schema, value, place);
  else if (isRecord(value)) checkObject(schema, value, place);
  checkCombinations(schema, value, place);
}

function hasType(value: unknown, type: JsonType): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

const TYPE_NAMES: Record<JsonType, string> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
};

function checkText(schema: JsonSchema, value: string, place: Place): void {
  const { minLength, maxLength, pattern, format } = schema;
  if (minLength !== undefined || maxLength !== undefined) {
    const length = countCodePoints(value);
    if (minLength !== undefined && length < minLength) {
      const message = minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`;
      place.report('minLength', message, { limit: minLength });
    }
    if (maxLength !== undefined && length > maxLength) {
      place.report('maxLength', `must have at most ${maxLength} characters`, { limit: maxLength });
    }
  }
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) {
    place.report('pattern', `must match ${pattern}`, { pattern });
  }
  if (format !== undefined && Object.hasOwn(formats, format) && formats[format]?.(value) === false) {
    place.report('format', `must be a valid ${format}`, { format });
  }
}

/** JSON Schema counts code points, not UTF-16 units. */
function countCodePoints(text: string): number {
  let count = 0;
  for (const point of text) count += point.length > 0 ? 1 : 0;
  return count;
}

function checkNumber(schema: JsonSchema, value: number, place: Place): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (minimum !== undefined && value < minimum)
    place.report('minimum', `must be at least ${minimum}`, { limit: minimum });
  if (maximum !== undefined && value > maximum)
    place.report('maximum', `must be at most ${maximum}`, { limit: maximum });
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    place.report('exclusiveMinimum', `must be more than ${exclusiveMinimum}`, { limit: exclusiveMinimum });
  }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
    place.report('exclusiveMaximum', `must be less than ${exclusiveMaximum}`, { limit: exclusiveMaximum });
  }
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) {
    place.report('multipleOf', `must be a multiple of ${multipleOf}`, { multipleOf });
  }
}

function checkArray(schema: JsonSchema, value: readonly unknown[], place: Place): void {
  const { minItems, maxItems, uniqueItems, items } = schema;
  if (minItems !== undefined && value.length < minItems) {
    place.report('minItems', `must have at least ${minItems} items`, { limit: minItems });
  }
  if (maxItems !== undefined && value.length > maxItems) {
    place.report('maxItems', `must have at most ${maxItems} items`, { limit: maxItems });
    return; // The items of a list that is far too long are not checked.
  }
  if (uniqueItems === true) {
    const repeated = findRepeated(value);
    if (repeated !== -1)
      place.report('uniqueItems', `must not repeat an item (item ${repeated} does)`, { repeated });
  }
  if (items !== undefined) {
    value.forEach((item, index) => visit(items, item, place.below(index)));
  }
}

/** The index of the first repeated item, or -1. Plain items are looked up, objects compared one by one. */
function findRepeated(items: readonly unknown[]): number {
  const plain = new Set<unknown>();
  const structured: unknown[] = [];
  return items.findIndex((item) => {
    if (typeof item === 'object' && item !== null) {
      if (structured.some((other) => sameJson(item, other))) return true;
      structured.push(item);
      return false;
    }
    if (plain.has(item)) return true;
    plain.add(item);
    return false;
  });
}

function checkObject(schema: JsonSchema, value: Record<string, unknown>, place: Place): void {
  // A key with the value undefined is absent, as in JSON.
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  const { minProperties, maxProperties, required, propertyNames } = schema;
  if (minProperties !== undefined && keys.length < minProperties) {
    place.report('minProperties', `must have at least ${minProperties} properties`, { limit: minProperties });
  }
  if (maxProperties !== undefined && keys.length > maxProperties) {
    place.report('maxProperties', `must have at most ${maxProperties} properties`, { limit: maxProperties });
  }
  for (const name of required ?? []) {
    if (!keys.includes(name)) place.report('required', `must have '${name}'`, { property: name });
  }
  for (const key of keys) {
    const below = place.below(key);
    if (propertyNames !== undefined && validateSchema(propertyNames, key).length > 0) {
      place.report('propertyNames', `must not have a property named '${key}'`, { property: key });
    }
    const schemas = schemasOfProperty(schema, key);
    for (const child of schemas) visit(child, value[key], below);
    if (schemas.length > 0) continue;
    if (schema.additionalProperties === false) {
      place.report('additionalProperties', `must not have the unknown property '${key}'`, { property: key });
    } else if (isRecord(schema.additionalProperties)) {
      visit(schema.additionalProperties, value[key], below);
    }
  }
}

function schemasOfProperty(schema: JsonSchema, key: string): readonly JsonSchema[] {
  const schemas: JsonSchema[] = [];
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) {
    schemas.push(schema.properties[key] as JsonSchema);
  }
  for (const [pattern, child] of Object.entries(schema.patternProperties ?? {})) {
    if (new RegExp(pattern, 'u').test(key)) schemas.push(child);
  }
  return schemas;
}

function checkCombinations(schema: JsonSchema, value: unknown, place: Place): void {
  for (const child of schema.allOf ?? []) place.problems.push(...place.trial(child, value));
  if (schema.anyOf !== undefined && schema.anyOf.every((child) => place.trial(child, value).length > 0)) {
    place.report('anyOf', 'must fit one of the allowed shapes');
  }
  if (schema.oneOf !== undefined) {
    const fitting = schema.oneOf.filter((child) => place.trial(child, value).length === 0).length;
    if (fitting !== 1)
      place.report('oneOf', `must fit exactly one of the allowed shapes, not ${fitting}`, { fitting });
  }
  if (schema.not !== undefined && place.trial(schema.not, value).length === 0) {
    place.report('not', 'must not have this shape');
  }
}
