import type { CellValue } from '@trellis/sdk/shared';
import { isSameCell, type LoggedRow } from '../changes/log-entry.ts';
import type { SetEnds } from '../changes/row-change.ts';
import { selectDistinct, type CompiledQuery } from '../query/select.ts';
import type { Values } from './table-plan.ts';
import type { TableWrite } from './table-write.ts';

/** The most recorded changes of each foreign key; the rows named by further ones get no history of it. */
const mostEnds = 5000;

/**
 * What the foreign keys of a set of rows name before and after a write: all that is recorded of a set that is too large to record
 * its rows. One statement for each foreign key that the write sets.
 *
 * @param values what every row is set to; undefined if the rows are deleted
 */
export async function endsOfSet(
  { plan, unit }: TableWrite,
  query: CompiledQuery,
  values?: Values,
): Promise<SetEnds> {
  const columns: string[] = [];
  const rows: LoggedRow[] = [];
  for (const { kind, columnIds } of plan.table.links) {
    const codecs = columnIds.flatMap((id) => plan.byId.get(id) ?? []);
    const isWritten = values === undefined || codecs.some((codec) => values.has(codec));
    if (kind !== 'belongsTo' || codecs.length < columnIds.length || !isWritten) continue;
    const places = codecs.map(({ column }) => placeOf(columns, column.id));
    const held = await unit.rows(
      selectDistinct(
        query,
        codecs.map(({ column }) => column),
        mostEnds,
      ),
    );
    for (const cells of held.rows) {
      const before = codecs.map(({ decode }, index) => decode(cells[index]));
      const after =
        values &&
        codecs.map((codec, index) => (values.has(codec) ? values.get(codec) : before[index]) ?? null);
      if (isLinked(before, after)) rows.push(['', before, after ?? null, places]);
    }
  }
  return { columns, rows };
}

function placeOf(columns: string[], id: string): number {
  const known = columns.indexOf(id);
  return known === -1 ? columns.push(id) - 1 : known;
}

/** Whether a foreign key names a row before or after the change, and not the same one. */
function isLinked(before: readonly CellValue[], after: readonly CellValue[] | undefined): boolean {
  const isNamed = !before.includes(null) || (after !== undefined && !after.includes(null));
  const isSame = after !== undefined && before.every((cell, index) => isSameCell(cell, after[index] ?? null));
  return isNamed && !isSame;
}
