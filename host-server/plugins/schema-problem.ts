import { checkSchema, describeProblems } from '@trellis/core';

/** What is wrong with a schema that a plugin gives under a key, in the words of those in `plugin.json`; undefined for one that can be used. */
export function schemaProblem(key: string, schema: unknown): string | undefined {
  const problems = checkSchema(schema);
  return problems.length === 0
    ? undefined
    : `'${key}' is no schema: ${describeProblems(problems).replaceAll('\n', '; ')}`;
}
