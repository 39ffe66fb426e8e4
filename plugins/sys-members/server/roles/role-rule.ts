import {
  AccessServiceToken,
  SchemaStoreToken,
  snapshotIfThere,
  type ColumnNarrowing,
  type Narrowing,
  type ProjectSnapshot,
  type ScopeRule,
  type ServerPluginContext,
  type TableSchema,
} from '@trellis/sdk/server';
import type { TableAccess, TableRights } from '../../shared/index.ts';
import type { CustomRoles, RoleOfProject } from './custom-roles.ts';

const additions = ['dataInsert', 'bulkDataInsert'];
const deletions = ['dataDelete', 'bulkDataDelete', 'deletionPurge'];
/** Permissions that change rows of a table, or its linked rows. */
const changes = [
  ...additions,
  ...deletions,
  'dataUpdate',
  'bulkDataUpdate',
  'relationDataAdd',
  'relationDataRemove',
];

/** Removes from a member's rights everything that the custom role does not have, also for tokens and previews of the role. */
export function roleRule(ctx: ServerPluginContext, roles: CustomRoles): ScopeRule {
  const schema = ctx.get(SchemaStoreToken);
  const access = ctx.get(AccessServiceToken);
  const permissions = ctx.registry('permissions');

  async function narrowingOf(role: RoleOfProject, projectId: string): Promise<Narrowing> {
    const all = permissions.list().map(({ id }) => id);
    // In a deleted project, the role still removes its permissions.
    const snapshot = await snapshotIfThere(schema, access.systemScope(projectId, 'custom roles'));
    const columns = new Map<string, ColumnNarrowing>();
    const left = new Map<string, ReadonlySet<string>>();
    for (const [tableId, rights] of Object.entries(role.tables)) {
      left.set(tableId, leftIn(rights, all));
      const table = snapshot?.tables.get(tableId);
      const namesColumns = Object.keys(rights.columns).length > 0 || rights.newColumns !== 'write';
      if (table !== undefined && namesColumns) columns.set(tableId, columnsIn(rights, table));
    }
    const others = leftIn(asAllOf(role.newTables), all);
    const ofJunctions =
      snapshot === undefined ? [] : junctionsIn(snapshot, (id) => left.get(id) ?? others, all);
    return {
      maximumRole: role.base,
      customRole: role.id,
      tables: new Map([...ofJunctions, ...left]),
      ...(role.newTables !== 'write' && { otherTables: others }),
      columns,
      ...(role.denied.length > 0 && {
        permissions: new Set(all.filter((id) => !role.denied.includes(id))),
      }),
    };
  }

  return {
    id: 'sys-members.custom-roles',
    async narrow({ principal, projectId }) {
      if (projectId === undefined) return undefined;
      const { id: accountId, email } = principal;
      const own = accountId === '' ? undefined : await roles.idOf({ projectId, accountId, email });
      const ids = [own, principal.customRole].filter((id) => id !== undefined);
      const held = await Promise.all(ids.map((id) => roles.find(projectId, id)));
      // It is unknown what a deleted role allowed.
      return Promise.all(
        held.map(async (role) =>
          role === undefined ? { permissions: new Set<string>() } : narrowingOf(role, projectId),
        ),
      );
    },
  };
}

function asAllOf(access: TableAccess): TableRights {
  return { access, create: true, delete: true, columns: {}, newColumns: 'write' };
}

function leftIn(rights: TableRights, all: readonly string[]): ReadonlySet<string> {
  if (rights.access === 'none') return new Set();
  const gone = new Set(
    rights.access === 'read'
      ? changes
      : [...(rights.create ? [] : additions), ...(rights.delete ? [] : deletions)],
  );
  return new Set(all.filter((id) => !gone.has(id)));
}

/**
 * Roles do not name junction tables. Their rows are links: visible to those who see both tables, and added and deleted by those who
 * may link rows of one of them, even if they may add no rows to it.
 */
function junctionsIn(
  { links }: ProjectSnapshot,
  leftOf: (tableId: string) => ReadonlySet<string>,
  all: readonly string[],
): readonly (readonly [string, ReadonlySet<string>])[] {
  return [...links.values()].flatMap(({ through, tableId, toTableId }) => {
    if (through === undefined) return [];
    const ends = [leftOf(tableId), leftOf(toTableId)];
    const isSeen = ends.every(({ size }) => size > 0);
    const access = ends.some((left) => left.has('relationDataAdd')) ? 'write' : 'read';
    return [[through.tableId, leftIn(asAllOf(isSeen ? access : 'none'), all)] as const];
  });
}

/** Hiding a link also hides its foreign key in the table, which would reveal the linked row. */
function columnsIn(rights: TableRights, table: TableSchema): ColumnNarrowing {
  const keys = new Set(table.primaryKey.map(({ id }) => id));
  const hidden = new Set<string>();
  const readOnly = new Set<string>();
  for (const column of table.columns) {
    const isKept = column.system || column.primaryKey;
    const left = rights.columns[column.id] ?? (isKept ? 'write' : rights.newColumns);
    if (left === 'write') continue;
    const link = table.links.find(({ id }) => id === column.linkId);
    const own = link?.kind === 'belongsTo' ? link.columnIds.filter((id) => !keys.has(id)) : [];
    for (const id of [column.id, ...own]) (left === 'none' ? hidden : readOnly).add(id);
  }
  const readable = table.columns.map(({ id }) => id).filter((id) => !hidden.has(id));
  return { readable: new Set(readable), writable: new Set(readable.filter((id) => !readOnly.has(id))) };
}
