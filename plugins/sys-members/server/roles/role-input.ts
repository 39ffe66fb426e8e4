import { replacesSchema, type Permission, type ProjectSnapshot } from '@trellis/sdk/server';
import { projectRoles, type JsonSchema } from '@trellis/sdk/shared';
import { baseRoles, tableAccesses, type CustomRoleInput } from '../../shared/index.ts';
import { teamErrors } from '../member-errors.ts';

const mostTables = 2000;
const mostColumns = 1000;

const tableRights: JsonSchema = {
  type: 'object',
  required: ['access', 'create', 'delete', 'columns', 'newColumns'],
  additionalProperties: false,
  properties: {
    access: { type: 'string', enum: [...tableAccesses] },
    create: { type: 'boolean' },
    delete: { type: 'boolean' },
    columns: {
      type: 'object',
      maxProperties: mostColumns,
      additionalProperties: { type: 'string', enum: [...tableAccesses] },
    },
    newColumns: { type: 'string', enum: [...tableAccesses] },
  },
};

export const roleSchema: JsonSchema = {
  type: 'object',
  required: ['title', 'base'],
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 80, pattern: '\\S' },
    description: { type: 'string', maxLength: 1000 },
    base: { type: 'string', enum: [...baseRoles] },
    denied: { type: 'array', maxItems: 500, items: { type: 'string', maxLength: 80 } },
    tables: { type: 'object', maxProperties: mostTables, additionalProperties: tableRights },
    newTables: { type: 'string', enum: [...tableAccesses] },
    replaces: replacesSchema,
  },
};

/**
 * The body for a role; absent properties get their defaults. A role that names tables has no others unless the call says so, since
 * the author of a new table does not think of the roles of others.
 */
export type RoleBody = Pick<CustomRoleInput, 'title' | 'base'> &
  Partial<CustomRoleInput> & { readonly replaces?: string | null };

/**
 * Checks that a role names only tables and columns of the project, or those that it named before: a deleted table may be restored.
 *
 * @throws TrellisError `CUSTOM_ROLE_UNKNOWN_ID`, `CUSTOM_ROLE_KEY`, `ROLE_INVALID`.
 */
export function roleInput(
  body: RoleBody,
  { tables }: ProjectSnapshot,
  permissions: readonly Permission[],
  former: Pick<CustomRoleInput, 'tables'> = { tables: {} },
): CustomRoleInput {
  const { description = '', denied = [], tables: rights = {} } = body;
  const newTables = body.newTables ?? (Object.keys(rights).length > 0 ? 'none' : 'write');
  const title = body.title.trim();
  if (projectRoles.some((role) => role === title.toLowerCase())) throw teamErrors.create('ROLE_INVALID');
  const known = new Set(permissions.filter(({ scope }) => scope === 'project').map(({ id }) => id));
  for (const id of denied) if (!known.has(id)) throw unknownId(id);
  for (const [tableId, { columns }] of Object.entries(rights)) {
    const table = tables.get(tableId);
    const before = Object.hasOwn(former.tables, tableId) ? former.tables[tableId] : undefined;
    if (table === undefined && before === undefined) throw unknownId(tableId);
    for (const [columnId, left] of Object.entries(columns)) {
      const column = table?.columnById.get(columnId);
      const isKnown =
        column !== undefined || (before !== undefined && Object.hasOwn(before.columns, columnId));
      if (!isKnown) throw unknownId(columnId);
      if (table !== undefined && column?.primaryKey === true && left === 'none')
        throw teamErrors.create('CUSTOM_ROLE_KEY', { column: column.title, table: table.title });
    }
  }
  return { title, base: body.base, description: description.trim(), denied, tables: rights, newTables };
}

function unknownId(id: string) {
  return teamErrors.create('CUSTOM_ROLE_UNKNOWN_ID', { id: id.slice(0, 80) });
}
