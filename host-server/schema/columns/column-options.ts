import { validateSchema } from '@trellis/core';
import type { ServerColumnType } from '@trellis/sdk/server';
import { nestsDeeperThan } from '@trellis/sdk/shared';
import { problemParams } from '../../query/problem-params.ts';
import { schemaErrors } from '../schema-errors.ts';
import { optionProblem } from './option-problem.ts';

const deepest = 20;
const mostBytes = 65_536;

/**
 * Checks a column's new `meta`: it must be small and, if the column's type has options, valid by their schema. Keys that the
 * schema does not know are kept, since clients may have their own.
 *
 * @throws TrellisError 400 naming the column and what is wrong.
 */
export function checkOptions(
  title: string,
  meta: Readonly<Record<string, unknown>> | undefined,
  type: ServerColumnType | undefined,
): void {
  if (meta === undefined) return;
  const refuse = (why: Parameters<typeof problemParams>[0]) =>
    schemaErrors.create('COLUMN_SETTING', { ...problemParams(why), column: title });
  if (nestsDeeperThan(meta, deepest)) throw refuse(schemaErrors.create('META_NESTED', { most: deepest }));
  if (Buffer.byteLength(JSON.stringify(meta)) > mostBytes)
    throw refuse(schemaErrors.create('META_TOO_LARGE', { most: mostBytes / 1024 }));
  if (type?.options === undefined) return;
  const options = { ...type.options.defaults, ...meta };
  const { schema } = type.options;
  const [wrong] = validateSchema(schema, options);
  if (wrong !== undefined) throw refuse(optionProblem(schema, wrong));
  const problem = type.checkOptions?.(options);
  if (problem !== undefined) throw refuse(problem);
}

/** Whether a client chose any options of a type; an empty list of them is none. */
export function choosesOptions(
  type: ServerColumnType,
  meta: Readonly<Record<string, unknown>> | undefined,
): boolean {
  const keys = Object.keys(type.options?.schema.properties ?? {});
  return keys.some((key) => {
    const chosen = meta?.[key];
    return chosen !== undefined && !(Array.isArray(chosen) && chosen.length === 0);
  });
}
