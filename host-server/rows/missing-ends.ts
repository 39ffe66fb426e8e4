import { formatRowKey } from '@trellis/sdk/shared';
import { columnIn } from '../query/compile-related.ts';
import { selectIn, selectWhere } from '../query/select.ts';
import type { SqlFragment } from '../sql/fragment.ts';
import { inParts } from '../sql/in-parts.ts';
import type { Binding } from '../sql/session.ts';
import type { OpenTable, OpenTables } from './open-table.ts';
import { readOptions } from './read-options.ts';
import type { ColumnCodec, Values } from './table-plan.ts';

/** Keys that one query asks for. */
const keysAtOnce = 500;

/** Rows without references to missing rows, and what was changed for that. */
export interface LinkedWhole {
  readonly rows: readonly Values[];
  /** The number of emptied cells, by the id of their column. */
  readonly unlinked: Readonly<Record<string, number>>;
  readonly leftOut: number;
}

/**
 * Removes from rows that are about to be inserted what the foreign keys of their table would refuse: a cell that names a row which
 * is neither in the database nor among them is emptied; a row that requires that cell is left out.
 */
export async function withoutMissingEnds(
  open: OpenTable,
  given: readonly Values[],
  tables: OpenTables,
): Promise<LinkedWhole> {
  const unlinked: Record<string, number> = {};
  let rows = given;
  for (const link of open.plan.table.links) {
    if (link.kind !== 'belongsTo' || link.constraint === undefined) continue;
    const own = codecsOf(open, link.columnIds);
    const named = rows.flatMap((values) => keyOf(own, values) ?? []);
    if (named.length === 0) continue;
    const there = await endsThere(open, {
      tableId: link.toTableId,
      columnIds: link.toColumnIds,
      named,
      tables,
    });
    if (link.toTableId === open.plan.table.id)
      for (const values of rows) there.add(keyOf(codecsOf(open, link.toColumnIds), values)?.text ?? '');
    const isNeeded = own.some(({ column }) => column.required || column.primaryKey);
    rows = rows.flatMap((values) => {
      const key = keyOf(own, values);
      if (key === undefined || there.has(key.text)) return [values];
      if (isNeeded) return [];
      for (const { column } of own) unlinked[column.id] = (unlinked[column.id] ?? 0) + 1;
      return [new Map([...values].map(([of, value]) => [of, own.includes(of) ? null : value]))];
    });
  }
  return { rows, unlinked, leftOut: given.length - rows.length };
}

interface NamedKey {
  readonly text: string;
  readonly values: readonly Binding[];
}

/** Undefined if a part of the key is empty, which names no row. */
function keyOf(codecs: readonly ColumnCodec[], values: Values): NamedKey | undefined {
  const cells = codecs.map((of) => values.get(of) ?? null);
  if (cells.includes(null)) return undefined;
  return { text: formatRowKey(cells), values: codecs.map((of, place) => of.encode(cells[place] ?? null)) };
}

interface Ends {
  readonly tableId: string;
  readonly columnIds: readonly string[];
  readonly named: readonly NamedKey[];
  readonly tables: OpenTables;
}

/** Which of the keys exist, by their texts. */
async function endsThere(open: OpenTable, { tableId, columnIds, named, tables }: Ends): Promise<Set<string>> {
  const table = open.handle.snapshot.tables.get(tableId);
  if (table === undefined) return new Set();
  const there = await tables.openForAll(open.handle, table);
  const codecs = codecsOf(there, columnIds);
  const columns = columnIds.map((id) => columnIn(table, id));
  const [only, ...others] = columns;
  const found = new Set<string>();
  const distinct = [...new Map(named.map((key) => [key.text, key])).values()];
  for (const part of inParts(distinct, keysAtOnce)) {
    const values = part.map((key) => key.values);
    const statements: readonly SqlFragment[] =
      only !== undefined && others.length === 0
        ? [
            selectIn(
              there.context,
              columns,
              only,
              values.map(([value]) => value ?? null),
            ),
          ]
        : values.map((key) =>
            selectWhere(
              there.context,
              columns,
              columns.map((column, place) => [column, key[place] ?? null] as const),
            ),
          );
    const options = readOptions(open.handle.scope, 'page', {});
    for (const answer of await there.database.read((unit) => unit.batch(statements), options))
      for (const cells of answer.rows) found.add(formatRowKey(codecs.map((of, at) => of.decode(cells[at]))));
  }
  return found;
}

function codecsOf({ plan }: OpenTable, ids: readonly string[]): readonly ColumnCodec[] {
  return ids.flatMap((id) => plan.byId.get(id) ?? []);
}
