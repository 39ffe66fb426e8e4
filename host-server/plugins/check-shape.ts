import { isRecord } from '@trellis/core';
import { schemaProblem } from './schema-problem.ts';

type Kind = 'text' | 'function' | 'list' | 'object' | 'seconds' | 'schema' | 'schema or nothing';

/** The fields of a registry's item, by key; each is required whose kind does not allow nothing. */
export type Shape = Readonly<Record<string, Kind>>;

const isOf: { readonly [Of in Kind]: (value: unknown) => boolean } = {
  text: (value) => typeof value === 'string' && value !== '',
  function: (value) => typeof value === 'function',
  list: (value) => Array.isArray(value),
  object: isRecord,
  seconds: (value) => typeof value === 'number' && value > 0 && Number.isFinite(value),
  schema: isRecord,
  'schema or nothing': (value) => value === undefined || isRecord(value),
};

const wayOut: { readonly [Of in Kind]: string } = {
  text: 'write a text',
  function: 'write a function',
  list: 'write a list',
  object: 'write an object',
  seconds: 'write a number of seconds above 0',
  schema: 'write a schema object',
  'schema or nothing': 'write a schema object',
};

/**
 * Checks an item's fields when its plugin registers it. A plugin in JavaScript has no compiler, and a missing field would fail
 * later, far from the plugin.
 *
 * @throws Error that lists each mistake and what to write instead.
 */
export function checkShape(registry: string, item: object, shape: Shape): void {
  const of = item as Readonly<Record<string, unknown>>;
  const problems = Object.entries(shape).flatMap(([key, kind]) => problemOf(key, of[key], kind) ?? []);
  if (problems.length > 0)
    throw new Error(`'${String(of['id'])}' in ${registry} cannot be used: ${problems.join('; ')}.`);
}

function problemOf(key: string, value: unknown, kind: Kind): string | undefined {
  if (!isOf[kind](value))
    return `'${key}' ${value === undefined ? 'is missing' : 'is no such thing'}; ${wayOut[kind]}`;
  const isSchema = kind === 'schema' || kind === 'schema or nothing';
  return isSchema && value !== undefined ? schemaProblem(key, value) : undefined;
}
