import { isRecord } from '@trellis/core';

type Kind = 'text' | 'function' | 'list' | 'object' | 'seconds';

/** The required fields of a registry's item, by key. */
export type Shape = Readonly<Record<string, Kind>>;

const isOf: { readonly [Of in Kind]: (value: unknown) => boolean } = {
  text: (value) => typeof value === 'string' && value !== '',
  function: (value) => typeof value === 'function',
  list: (value) => Array.isArray(value),
  object: isRecord,
  seconds: (value) => typeof value === 'number' && value > 0 && Number.isFinite(value),
};

const wayOut: { readonly [Of in Kind]: string } = {
  text: 'write a text',
  function: 'write a function',
  list: 'write a list',
  object: 'write an object',
  seconds: 'write a number of seconds above 0',
};

/**
 * Checks an item's fields when its plugin registers it. A plugin in JavaScript has no compiler, and a missing field would fail
 * later, far from the plugin.
 *
 * @throws Error that lists each mistake and what to write instead.
 */
export function checkShape(registry: string, item: object, shape: Shape): void {
  const of = item as Readonly<Record<string, unknown>>;
  const problems = Object.entries(shape)
    .filter(([key, kind]) => !isOf[kind](of[key]))
    .map(([key, kind]) => {
      const what = of[key] === undefined ? 'is missing' : 'is no such thing';
      return `'${key}' ${what}; ${wayOut[kind]}`;
    });
  if (problems.length > 0)
    throw new Error(`'${String(of['id'])}' in ${registry} cannot be used: ${problems.join('; ')}.`);
}
