import { checkSchema, describeProblems, secretPaths, type SettingsSchema } from '@trellis/core';
import type { ViewType } from '@trellis/sdk/server';

/**
 * Holds a view type against what it promises, when its plugin registers it: later its mistakes would be met by whoever saves a view.
 *
 * @throws Error that lists each mistake and what to write instead.
 */
export function checkViewType(type: ViewType): void {
  const problems = [
    ...schemaProblems('options', type.options),
    ...schemaProblems('columnOptions', type.columnOptions),
  ];
  if (problems.length > 0)
    throw new Error(`The view type '${String(type.id)}' cannot be used: ${problems.join('; ')}.`);
}

function schemaProblems(key: string, schema: SettingsSchema | undefined): readonly string[] {
  if (schema === undefined) return [];
  const problems = checkSchema(schema);
  if (problems.length > 0) return [`'${key}' is no schema: ${describeProblems(problems)}`];
  if (schema.type !== 'object') return [`'${key}' describes no object; write type: 'object'`];
  const secrets = secretPaths(schema).join(', ');
  return secrets === ''
    ? []
    : [
        `'${key}' holds the secret ${secrets}, but who sees a view sees its options; use the plugin's settings`,
      ];
}
