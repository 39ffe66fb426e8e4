import type { RestoredRows, ScheduledOutcome, TableSchema } from '@trellis/sdk/server';
import { restoreNotes, wordsOf } from '../schedule-errors.ts';

interface Loss {
  readonly table: TableSchema;
  readonly refused: Map<string, number>;
  readonly unlinked: Map<string, number>;
  leftOut: number;
}

/** What rows lost in the restore, counted over all batches. */
export class RowLosses {
  readonly #byTable = new Map<string, Loss>();

  add(table: TableSchema, { refused, unlinked, leftOut }: RestoredRows): void {
    const known = this.#byTable.get(table.id);
    const loss = known ?? { table, refused: new Map(), unlinked: new Map(), leftOut: 0 };
    this.#byTable.set(table.id, loss);
    count(loss.refused, refused);
    count(loss.unlinked, unlinked);
    loss.leftOut += leftOut;
  }

  notes(): readonly ScheduledOutcome[] {
    return [...this.#byTable.values()]
      .flatMap(({ table, refused, unlinked, leftOut }) => [
        ...[...refused].map(([id, number]) =>
          restoreNotes.create('RESTORE_LEFT_VALUES', {
            table: table.title,
            column: table.columnById.get(id)?.title ?? '',
            count: number,
          }),
        ),
        ...[...unlinked].map(([id, number]) =>
          restoreNotes.create('RESTORE_LEFT_KEYS', {
            table: table.title,
            column: titleOfKey(table, id),
            count: number,
          }),
        ),
        ...(leftOut > 0
          ? [restoreNotes.create('RESTORE_LEFT_ROWS', { table: table.title, count: leftOut })]
          : []),
      ])
      .map(wordsOf);
  }
}

function count(into: Map<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [id, number] of Object.entries(more)) into.set(id, (into.get(id) ?? 0) + number);
}

/** The title that people see for a foreign key: that of the column that shows its link. */
function titleOfKey(table: TableSchema, id: string): string {
  const link = table.links.find(({ kind, columnIds }) => kind === 'belongsTo' && columnIds.includes(id));
  const shown = table.columns.find(({ linkId }) => linkId !== undefined && linkId === link?.id);
  return (shown ?? table.columnById.get(id))?.title ?? '';
}
