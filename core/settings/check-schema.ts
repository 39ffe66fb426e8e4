import { nearestWord } from '../errors/nearest-word.ts';
import { formats } from './formats.ts';
import type { JsonType } from './json-schema.ts';
import { pointer, type SchemaProblem } from './schema-problem.ts';
import { schemaKeywords } from './schema-words.ts';
import { isRecord } from './values.ts';

/** The types that schemas may name. */
export const schemaTypes: readonly JsonType[] = [
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
];

/**
 * The problems of a schema itself: unknown keywords, types and formats, patterns that do not compile, required properties that
 * are not described. Strict, because a misspelt keyword would silently check nothing.
 */
export function checkSchema(schema: unknown, path = ''): readonly SchemaProblem[] {
  if (!isRecord(schema)) return [{ path, keyword: 'schema', message: 'must be a schema object' }];
  return [...checkKeywords(schema, path), ...checkPatterns(schema, path), ...checkChildren(schema, path)];
}

function checkKeywords(schema: Record<string, unknown>, path: string): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const report = (keyword: string, message: string) =>
    problems.push({ path: pointer(path, keyword), keyword: 'schema', message });
  for (const keyword of Object.keys(schema)) {
    if (!Object.hasOwn(schemaKeywords, keyword) && !keyword.startsWith('x-')) {
      const meant = nearestWord(keyword, Object.keys(schemaKeywords));
      const end = meant === undefined ? '' : `; did you mean '${meant}'?`;
      report(keyword, `is not a keyword of the supported subset of JSON Schema${end}`);
    }
  }
  const types = schema.type === undefined ? [] : [schema.type].flat();
  for (const type of types) {
    if (!schemaTypes.includes(type as JsonType))
      report('type', `names the unknown type ${JSON.stringify(type)}`);
  }
  const { format } = schema;
  if (format !== undefined && (typeof format !== 'string' || !Object.hasOwn(formats, format))) {
    const known = Object.keys(formats).join(', ');
    report('format', `names the unknown format ${JSON.stringify(format)}; use one of ${known}`);
  }
  const { required, properties } = schema;
  if (required !== undefined && !Array.isArray(required))
    report('required', 'must be a list of property names');
  if (Array.isArray(required) && isRecord(properties)) {
    for (const name of required.map(String)) {
      if (!Object.hasOwn(properties, name)) {
        report('required', `asks for '${name}', which 'properties' does not describe`);
      }
    }
  }
  if (!isV1Fields(schema['x-v1']))
    report(
      'x-v1',
      "must be a list of objects with a 'key', and 'title', 'required' and 'is' where they are needed",
    );
  return problems;
}

function isV1Fields(fields: unknown): boolean {
  if (fields === undefined) return true;
  return (
    Array.isArray(fields) &&
    fields.every(
      (field: unknown) =>
        isRecord(field) &&
        typeof field.key === 'string' &&
        field.key !== '' &&
        ['undefined', 'string'].includes(typeof field.title) &&
        ['undefined', 'boolean'].includes(typeof field.required) &&
        ['undefined', 'string', 'number', 'boolean'].includes(typeof field.is),
    )
  );
}

function checkPatterns(schema: Record<string, unknown>, path: string): SchemaProblem[] {
  const patterns = [
    ...(schema.pattern === undefined ? [] : [schema.pattern]),
    ...Object.keys(isRecord(schema.patternProperties) ? schema.patternProperties : {}),
  ];
  return patterns
    .filter((pattern) => typeof pattern !== 'string' || formats.regex?.(pattern) === false)
    .map((pattern) => ({
      path,
      keyword: 'schema',
      message: `has the pattern ${JSON.stringify(pattern)}, which is not a regular expression`,
    }));
}

function checkChildren(schema: Record<string, unknown>, path: string): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  for (const keyword of ['properties', 'patternProperties']) {
    const children = schema[keyword];
    if (children === undefined) continue;
    if (!isRecord(children)) {
      problems.push({
        path: pointer(path, keyword),
        keyword: 'schema',
        message: 'must be an object of schemas',
      });
      continue;
    }
    for (const [name, child] of Object.entries(children)) {
      problems.push(...checkSchema(child, pointer(pointer(path, keyword), name)));
    }
  }
  for (const keyword of ['items', 'propertyNames', 'not', 'additionalProperties']) {
    const child = schema[keyword];
    if (child === undefined || (keyword === 'additionalProperties' && typeof child === 'boolean')) continue;
    problems.push(...checkSchema(child, pointer(path, keyword)));
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const children = schema[keyword];
    if (children === undefined) continue;
    const list: readonly unknown[] = Array.isArray(children) ? children : [undefined];
    list.forEach((child, index) =>
      problems.push(...checkSchema(child, pointer(pointer(path, keyword), index))),
    );
  }
  return problems;
}
