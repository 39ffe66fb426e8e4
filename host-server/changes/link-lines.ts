import {
  auditChanges,
  auditText,
  type AuditChange,
  type AuditText,
  type ValuesByColumn,
} from '@trellis/sdk/server';
import { formatRowKey, type RowKey } from '@trellis/sdk/shared';
import type { Unit } from '../sql/unit.ts';
import { namedIn } from './linked-row-keys.ts';
import { changeOfOne, entryOfOne, type LogEntry } from './log-entry.ts';

/** A foreign key of a table, and the table that it leads to. */
interface ForeignKey {
  readonly columnIds: readonly string[];
  readonly tableId: string;
  readonly title: string;
}

/** The foreign keys of tables, by the id of the table. */
export type ForeignKeys = ReadonlyMap<string, readonly ForeignKey[]>;

/** An entry that is about rows, as the audit has it. */
export interface RowEntry {
  readonly entry: LogEntry;
  /** The text of its rows; undefined where only its beginning was read. */
  readonly rows: string | undefined;
  readonly title: string;
  readonly isJunction: boolean;
}

/** What the audit says of a link that was made or taken away. */
export interface LinkLine {
  readonly subType: 'LINK_RECORD' | 'UNLINK_RECORD';
  /** The table that the line names instead of the junction table, whose rows nobody looks at. */
  readonly tableId: string;
  readonly tableTitle: string;
  readonly rowKey: RowKey | undefined;
  readonly told: AuditText;
  readonly changes: readonly AuditChange[];
  /** The cells that say which rows are linked, in which table they are, and the tables of these rows. */
  readonly reveals: {
    readonly columnIds: readonly string[];
    readonly in: string;
    readonly rowsOf: readonly string[];
  };
}

interface KeyRow {
  readonly table_id: string;
  readonly column_ids: string;
  readonly to_table_id: string;
  readonly title: string;
}

export async function readForeignKeys(unit: Unit, tableIds: readonly string[]): Promise<ForeignKeys> {
  const keys = new Map<string, ForeignKey[]>();
  if (tableIds.length === 0) return keys;
  const rows = await unit.all<KeyRow>(
    unit
      .knex('trellis_link as link')
      .join('trellis_table as far', 'far.id', 'link.to_table_id')
      .where('link.kind', 'belongsTo')
      .whereIn('link.table_id', [...new Set(tableIds)])
      .orderBy(['link.created_at', 'link.id'])
      .select('link.table_id', 'link.column_ids', 'link.to_table_id', 'far.title'),
  );
  for (const { table_id: of, column_ids: ids, to_table_id: tableId, title } of rows) {
    const key = { columnIds: JSON.parse(ids) as string[], tableId, title };
    keys.set(of, [...(keys.get(of) ?? []), key]);
  }
  return keys;
}

/** The junction tables by which the rows of a table are linked. */
export async function junctionsOf(unit: Unit, tableId: string): Promise<readonly string[]> {
  const rows = await unit.all<{ readonly id: string }>(
    unit
      .knex('trellis_link as link')
      .join('trellis_table as near', 'near.id', 'link.table_id')
      .where({ 'link.kind': 'belongsTo', 'link.to_table_id': tableId, 'near.junction': true })
      .distinct('near.id'),
  );
  return rows.map(({ id }) => id);
}

/** Undefined for rows that are no links, and for a link whose tables are gone. */
export function linkLine(row: RowEntry, keys: ForeignKeys): LinkLine | undefined {
  const own = keys.get(row.entry.tableId) ?? [];
  return row.isJunction ? junctionLine(row, own) : foreignKeyLine(row, own);
}

/** A row of a junction table is a link; a call may add or delete several. */
function junctionLine(row: RowEntry, keys: readonly ForeignKey[]): LinkLine | undefined {
  const [near, far] = keys;
  const { op, total } = row.entry;
  if (near === undefined || far === undefined || op === 'update') return undefined;
  const isMade = op === 'insert';
  const change = changeOfOne(row.entry, row.rows);
  const values = isMade ? change?.after : change?.before;
  const ends = [near, far].map(({ columnIds }) => keyIn(values, columnIds));
  const [rowKey, other] = ends;
  const place = { table: near.title, to: far.title };
  if (total > 1)
    return {
      ...lineAt(near, isMade),
      rowKey: undefined,
      told: severalTold(isMade, total, place),
      changes: [],
      reveals: { columnIds: [], in: row.entry.tableId, rowsOf: [] },
    };
  if (rowKey === undefined || other === undefined) return undefined;
  const reveals = {
    columnIds: [near, far].flatMap(({ columnIds }) => columnIds),
    in: row.entry.tableId,
    rowsOf: [near.tableId, far.tableId],
  };
  return { ...lineAt(near, isMade), rowKey, ...oneTold(isMade, { row: rowKey, other, ...place }), reveals };
}

/** A change of nothing but a foreign key is told as a link to the row that the key names. */
function foreignKeyLine(row: RowEntry, keys: readonly ForeignKey[]): LinkLine | undefined {
  const { entry, title } = row;
  const key = keys.find(({ columnIds }) => entry.columns.every((id) => columnIds.includes(id)));
  if (entry.op !== 'update' || entry.columns.length === 0 || key === undefined) return undefined;
  const whole = entryOfOne(entry, row.rows);
  const [named] = whole === undefined ? [] : namedIn(whole, key.columnIds);
  const cells = named?.after ?? named?.before;
  if (named === undefined || cells === undefined) return undefined;
  const [rowKey] = named.row;
  const isMade = named.after !== undefined;
  const values = { row: rowKey, table: title, other: formatRowKey(cells), to: key.title };
  const { tableId } = entry;
  const near = { tableId, title };
  const reveals = { columnIds: key.columnIds, in: tableId, rowsOf: [tableId, key.tableId] };
  return { ...lineAt(near, isMade), rowKey, ...oneTold(isMade, values), reveals };
}

function lineAt({ tableId, title }: Pick<ForeignKey, 'tableId' | 'title'>, isMade: boolean) {
  return { subType: isMade ? 'LINK_RECORD' : 'UNLINK_RECORD', tableId, tableTitle: title } as const;
}

type Ends = Readonly<Record<'row' | 'table' | 'other' | 'to', string>>;

function oneTold(isMade: boolean, ends: Ends): Pick<LinkLine, 'told' | 'changes'> {
  const words = { link: auditText('Linked row', {}) };
  const link = { link: `${ends.to} ${ends.other}` };
  return isMade
    ? {
        told: auditText('Row {{row}} of {{table}} was linked to row {{other}} of {{to}}', ends),
        changes: auditChanges(words, undefined, link),
      }
    : {
        told: auditText('Row {{row}} of {{table}} was unlinked from row {{other}} of {{to}}', ends),
        changes: auditChanges(words, link, undefined),
      };
}

function severalTold(isMade: boolean, total: number, place: Pick<Ends, 'table' | 'to'>): AuditText {
  const values = { links: String(total), ...place };
  return isMade
    ? auditText('{{links}} links between {{table}} and {{to}} were made', values)
    : auditText('{{links}} links between {{table}} and {{to}} were taken away', values);
}

/** The key of the row that these cells name; undefined where one of them is empty or not known. */
function keyIn(values: ValuesByColumn | undefined, columnIds: readonly string[]): RowKey | undefined {
  const cells = columnIds.map((id) => values?.[id] ?? null);
  return cells.includes(null) ? undefined : formatRowKey(cells);
}
