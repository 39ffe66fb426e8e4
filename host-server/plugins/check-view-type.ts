import { secretPaths, type RegistryView, type SettingsSchema } from '@trellis/core';
import type { Permission, ViewType } from '@trellis/sdk/server';
import type { ViewAddition } from '@trellis/sdk/shared';
import { schemaProblem } from './schema-problem.ts';

/**
 * Checks a view type when its plugin registers it. Without the check, its mistakes would show up when somebody saves a view.
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

/**
 * Checks the options that a plugin adds to views of any type, as `checkViewType` checks a type.
 *
 * @throws Error that lists each mistake and what to write instead.
 */
export function checkViewAddition({ id, options }: ViewAddition): void {
  const problems = schemaProblems('options', options);
  if (problems.length > 0)
    throw new Error(`The view addition '${id}' cannot be used: ${problems.join('; ')}.`);
}

/**
 * Checks the view types of one plugin against the permissions that exist once the whole plugin is set up.
 *
 * @throws Error for a view type that nobody could make views of.
 */
export function checkViewPermissions(
  types: RegistryView<ViewType>,
  permissions: RegistryView<Permission>,
  owner: string,
): void {
  for (const { item } of types.entries().filter((entry) => entry.owner === owner)) {
    const id = `${item.id}ViewCreate`;
    if (permissions.ownerOf(id) !== undefined) continue;
    throw new Error(
      `Nobody could make views of the type '${item.id}': the permission '${id}' is missing; register it too, such as ` +
        `ctx.register('permissions', { id: '${id}', label: 'Create a view of ${item.label}', scope: 'project', roles: [] }).`,
    );
  }
}

function schemaProblems(key: string, schema: SettingsSchema | undefined): readonly string[] {
  if (schema === undefined) return [];
  const problem = schemaProblem(key, schema);
  if (problem !== undefined) return [problem];
  if (schema.type !== 'object') return [`'${key}' describes no object; write type: 'object'`];
  const secrets = secretPaths(schema).join(', ');
  return secrets === ''
    ? []
    : [
        `'${key}' holds the secret ${secrets}, but who sees a view sees its options; use the plugin's settings`,
      ];
}
