import {
  AccessServiceToken,
  RowStoreToken,
  SchemaStoreToken,
  type AccessScope,
  type ColumnSchema,
  type LinkSchema,
  type Narrowing,
  type RowInput,
  type ServerPluginContext,
  type TableHandle,
  type TableSchema,
} from '@trellis/sdk/server';
import {
  formatRowKey,
  type CellValue,
  type FilterNode,
  type Predicate,
  type Row,
  type RowKey,
} from '@trellis/sdk/shared';
import { linkErrors } from './link-errors.ts';
import { linkedNames } from './public-meta.ts';
import { permissionsFor } from './visitors.ts';
import { columnNarrowings, linkedTable, visibleColumns } from './visible-columns.ts';
import type { Visit } from './visits.ts';

/** The most rows that one cell of a sent row links to. */
const mostLinked = 100;

/** A link column and the sender's chosen rows. */
interface Chosen {
  readonly column: ColumnSchema;
  readonly link: LinkSchema;
  readonly to: TableSchema;
  readonly rows: readonly Row[];
}

/** The links of rows sent by a view's link: which rows can be chosen, and how they are linked. */
export function sentLinks(ctx: ServerPluginContext) {
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  const rowStore = ctx.get(RowStoreToken);

  /**
   * The rows that can be chosen, with all their columns, except those that another row has, since choosing them would unlink them
   * there.
   */
  function offered(visit: Visit, { link, to }: Pick<Chosen, 'link' | 'to'>): AccessScope {
    const shown = access.narrow(visit.whole, {
      permissions: new Set<string>(permissionsFor.candidates),
      rows: visit.rows,
    });
    const free = freeRows(link, to);
    return free === undefined ? shown : access.narrow(shown, { rows: free });
  }

  /** Undefined for a column that the view does not show, or that is no link. */
  function linkOf(visit: Visit, columnId: string): Pick<Chosen, 'column' | 'link' | 'to'> | undefined {
    const column = visibleColumns(visit).find(({ id }) => id === columnId);
    const { snapshot, table } = visit.handle;
    const to = column && linkedTable(snapshot, table, column);
    const link = table.links.find(({ id }) => id === column?.linkId);
    return column && to && link && { column, to, link };
  }

  /** The chosen rows of the linked table that may be chosen. */
  async function found({ to, rows, link }: Chosen, visit: Visit): Promise<readonly Row[]> {
    const keys = to.primaryKey;
    const filters: readonly FilterNode[] = rows.map((row) => ({
      kind: 'group',
      logicalOp: 'or',
      children: keys.map(({ id, title }) => ({
        kind: 'condition',
        logicalOp: 'and',
        columnId: id,
        operator: 'eq',
        value: row[title],
      })),
    }));
    const readable = [...new Set([...keys.map(({ id }) => id), ...link.toColumnIds])];
    const fields = readable.flatMap((id) => to.columnById.get(id)?.title ?? []);
    // These rows are not shown to anybody.
    const handle = await schema.open(offered(visit, { link, to }), to.id);
    const any: FilterNode = { kind: 'group', logicalOp: 'and', children: filters };
    return rowStore.list(handle, { filters: [any], fields }, { limit: mostLinked, offset: 0 });
  }

  return {
    /** The rows that a new row may be linked to, by their keys and names; undefined for anything but a link of the view. */
    async candidates(visit: Visit, columnId: string): Promise<TableHandle | undefined> {
      const of = linkOf(visit, columnId);
      if (of === undefined) return undefined;
      const shown = columnNarrowings({ ...visit, withSources: false, isWritten: false });
      const names = new Set(linkedNames(of.to, visit).map(({ id }) => id));
      const scope = access.narrow(offered(visit, of), { columns: shown });
      const named = access.narrow(scope, { columns: new Map([[of.to.id, { readable: names }]]) });
      return schema.open(named, of.to.id);
    },

    /**
     * The rows to link from a sent row, and the foreign keys in the row itself.
     *
     * @throws TrellisError 400 for rows that are not offered
     */
    async read(
      visit: Visit,
      sent: RowInput,
    ): Promise<{ readonly keys: RowInput; readonly chosen: readonly Chosen[] }> {
      const keys: Record<string, CellValue> = {};
      const chosen: Chosen[] = [];
      for (const { id, title, linkId } of visibleColumns(visit)) {
        const of = linkId === undefined ? undefined : linkOf(visit, id);
        const rows = of === undefined || !Object.hasOwn(sent, title) ? [] : chosenRows(of, sent[title]);
        if (of === undefined || rows.length === 0) continue;
        const there = await found({ ...of, rows }, visit);
        if (there.length !== rows.length)
          throw linkErrors.create('SHARED_VIEW_LINKED_GONE', { column: title });
        if (of.link.kind === 'belongsTo') {
          const [row = {}] = there;
          for (const [at, keyId] of of.link.columnIds.entries()) {
            const own = visit.handle.table.columnById.get(keyId)?.title ?? '';
            keys[own] = row[of.to.columnById.get(of.link.toColumnIds[at] ?? '')?.title ?? ''] ?? null;
          }
        }
        chosen.push({ ...of, rows });
      }
      return { keys, chosen };
    },

    /** Links a row that was added; if it cannot be linked as requested, it is deleted again. */
    async write(visit: Visit, added: Row, chosen: readonly Chosen[]): Promise<void> {
      const later = chosen.filter(({ link }) => link.kind !== 'belongsTo');
      if (later.length === 0) return;
      const { table } = visit.handle;
      const key = keyOf(table, added);
      const opened = (rows: Narrowing['rows']) =>
        schema.open(
          access.narrow(visit.whole, {
            permissions: new Set<string>(permissionsFor.link),
            ...(rows && { rows }),
          }),
          table.id,
        );
      const set = async ({ link, to }: Chosen, rows: readonly RowKey[]) => {
        // In the same table, the limit would also hide the added row if it belongs to another one.
        const handle = await opened(
          to.id === table.id ? undefined : freeRows(link, to, endOf(visit, link, added)),
        );
        const { result } = await rowStore.setLinks(handle, link.id, [{ key, rows }]);
        return result[0]?.error;
      };
      const begun: Chosen[] = [];
      try {
        for (const one of later) {
          begun.push(one);
          const problem = await set(
            one,
            one.rows.map((row) => keyOf(one.to, row)),
          );
          const { title: column } = one.column;
          if (problem !== undefined)
            throw linkErrors.create('SHARED_VIEW_LINKED_GONE', { column }, { cause: problem });
        }
      } catch (error) {
        for (const one of begun) await set(one, []);
        await rowStore.delete(await opened(undefined), key);
        throw error;
      }
    },
  };
}

function keyOf({ primaryKey }: TableSchema, row: Row): string {
  return formatRowKey(primaryKey.map(({ title }) => row[title] ?? null));
}

/** The values by which rows of the other table point to an added row; undefined if the sender cannot see them. */
function endOf({ handle }: Visit, { columnIds }: LinkSchema, added: Row): readonly CellValue[] | undefined {
  const values = columnIds.map((id) => added[handle.table.columnById.get(id)?.title ?? '']);
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** A row that belongs to one other row is free while it belongs to none, or to the one at this end. Undefined if all rows are. */
function freeRows(
  { kind, toColumnIds }: LinkSchema,
  to: TableSchema,
  end?: readonly CellValue[],
): Narrowing['rows'] {
  if (kind !== 'hasMany') return undefined;
  const free: Predicate = {
    kind: 'and',
    items: toColumnIds.map((columnId) => ({ kind: 'isNull', item: { kind: 'column', columnId } })),
  };
  const own: Predicate = {
    kind: 'and',
    items: toColumnIds.map((columnId, at) => ({
      kind: 'compare',
      comparison: 'eq',
      left: { kind: 'column', columnId },
      right: {
        kind: 'literal',
        value: plain(end?.[at]),
        storage: to.columnById.get(columnId)?.storage ?? 'string',
      },
    })),
  };
  return new Map([[to.id, end === undefined ? free : { kind: 'or', items: [free, own] }]]);
}

/** Keys are neither lists nor objects. */
const plain = (value: CellValue | undefined) =>
  typeof value === 'object' || value === undefined ? null : value;

/** The rows that a sender names by their keys: a list of objects, or one object. */
function chosenRows(
  { column, link, to }: Pick<Chosen, 'column' | 'link' | 'to'>,
  sent: unknown,
): readonly Row[] {
  if (sent === undefined || sent === null) return [];
  const refuse = () => linkErrors.create('SHARED_VIEW_LINKS', { column: column.title, limit: mostRows });
  const mostRows = link.kind === 'belongsTo' ? 1 : mostLinked;
  const named: readonly unknown[] = Array.isArray(sent) ? sent : [sent];
  const rows = new Map<string, Row>();
  for (const row of named) {
    if (typeof row !== 'object' || row === null) throw refuse();
    const given = new Map<string, unknown>(Object.entries(row));
    const key = to.primaryKey.map(({ title }) => [title, given.get(title)] as const);
    if (key.length === 0 || !key.every(([, value]) => typeof value === 'string' || typeof value === 'number'))
      throw refuse();
    const kept = Object.fromEntries(key) as Row;
    rows.set(keyOf(to, kept), kept);
  }
  if (rows.size > mostRows) throw refuse();
  return [...rows.values()];
}
