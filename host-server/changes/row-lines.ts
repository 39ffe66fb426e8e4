import { auditChange, mayRead, type AccessScope, type AuditChange } from '@trellis/sdk/server';
import { rowOrderType } from '../metadata/models/column-rules.ts';
import type { Unit } from '../sql/unit.ts';
import { changeOfOne, type LogEntry } from './log-entry.ts';

/** The titles of columns by their ids. */
export type ColumnTitles = ReadonlyMap<string, string>;

interface TitleRow {
  readonly id: string;
  readonly table_id: string;
  readonly title: string;
}

/**
 * The columns of tables whose cells a caller may be told of. None of a table of which the caller sees some rows only: nobody can say
 * whether a former row was among them.
 */
export async function readTitles(
  unit: Unit,
  scope: AccessScope,
  tableIds: readonly string[],
): Promise<ColumnTitles> {
  const whole = [...new Set(tableIds)].filter((id) => scope.rowPredicate(id) === undefined);
  if (whole.length === 0) return new Map();
  const rows = await unit.all<TitleRow>(
    unit
      .knex('trellis_column')
      .whereIn('table_id', whole)
      .whereNull('parked_at')
      .whereNot({ uidt: rowOrderType })
      .select('id', 'table_id', 'title'),
  );
  return new Map(
    rows.flatMap(({ id, table_id: tableId, title }) =>
      mayRead(scope, { tableId, id }) ? [[id, title] as const] : [],
    ),
  );
}

/**
 * The cells of the one row that a call added, changed or deleted, with their values before and after.
 *
 * @param rows the text of the entry's rows; undefined where they are too long for a line
 */
export function cellChanges(
  entry: LogEntry,
  rows: string | undefined,
  titles: ColumnTitles,
): readonly AuditChange[] {
  const { before, after } = changeOfOne(entry, rows) ?? {};
  return Object.keys({ ...before, ...after }).flatMap((id) => {
    const title = titles.get(id);
    return title === undefined ? [] : (auditChange(title, { from: before?.[id], to: after?.[id] }) ?? []);
  });
}
