import type { Change } from '@trellis/sdk/server';
import type { CellValue } from '@trellis/sdk/shared';
import type { Metadata } from '../metadata/metadata.ts';
import { models } from '../metadata/models/models.ts';
import { withHeldColumns } from './held-columns.ts';
import type { OpenTable, OpenTables } from './open-table.ts';
import { rowErrors } from './row-errors.ts';
import { restoredValues } from './row-values.ts';
import type { ColumnCodec, Values } from './table-plan.ts';

/** Changes in a form that can be undone, and the table with all columns that this writes. */
export interface Restorable {
  readonly open: OpenTable;
  readonly changes: readonly Change[];
}

/**
 * Prepares an undo so that no cell is lost. A column that was deleted since is written while it is still stored, as if the row had
 * existed when the column was deleted. Values that a column of another type cannot hold are refused.
 *
 * @throws TrellisError 409 naming the columns that cannot hold their former values.
 */
export async function restorable(
  { metadata, tables }: { readonly metadata: Metadata; readonly tables: OpenTables },
  narrow: OpenTable,
  changes: readonly Change[],
): Promise<Restorable> {
  const open = await withHeldColumns(await withDeletedColumns(metadata, tables, narrow, changes), changes);
  const unfit = new Set<string>();
  const fitting = changes.map((change) => {
    if (change.before === undefined) return change;
    const before = Object.entries(change.before).map(([id, value]) => {
      const of = open.plan.byId.get(id);
      if (of === undefined || of.column.generated || value === null) return [id, value] as const;
      const fits = fitted(of, value);
      if (fits === undefined) unfit.add(of.column.title);
      return [id, fits ?? null] as const;
    });
    return { ...change, before: Object.fromEntries(before) };
  });
  if (unfit.size > 0) throw rowErrors.create('UNDO_VALUES_UNFIT', { columns: named([...unfit]) });
  return { open, changes: fitting };
}

async function withDeletedColumns(
  metadata: Metadata,
  tables: OpenTables,
  open: OpenTable,
  changes: readonly Change[],
): Promise<OpenTable> {
  const { readable, byId } = open.plan;
  const missing = new Set(
    changes.flatMap(({ before = {} }) =>
      Object.entries(before).flatMap(([id, value]) =>
        value === null || byId.has(id) || readable.has(id) ? [] : [id],
      ),
    ),
  );
  if (missing.size === 0) return open;
  const { ColumnModel, toColumn } = await models();
  const rows = await metadata.database.read(async (unit) =>
    ColumnModel.query(unit.knex)
      .whereIn('id', [...missing])
      .where({ table_id: open.handle.table.id }),
  );
  const kept = rows.map(toColumn).filter(({ columnName }) => columnName !== '');
  if (kept.length < missing.size) throw rowErrors.create('UNDO_COLUMNS_GONE');
  return tables.including(open, kept);
}

/**
 * The values that an undo restores in columns that hooks do not see: deleted ones, those that cannot be written, and the row's
 * position.
 */
export function hiddenValues(shown: OpenTable, { plan }: OpenTable, { before }: Change): Values {
  const values = restoredValues(plan, before ?? {});
  const isTold = (id: string) => shown.plan.byId.get(id)?.column.generated === false;
  return new Map([...values].filter(([of]) => of === plan.rowOrder || !isTold(of.column.id)));
}

/** The value in the column's current form; undefined if the column cannot hold it. */
function fitted(of: ColumnCodec, value: CellValue): CellValue | undefined {
  if (isHeldBy(of, value)) return value;
  const parsed = of.type?.parse(typeof value === 'object' ? JSON.stringify(value) : value, of.context);
  if (parsed?.ok !== true || parsed.value === null) return undefined;
  return isHeldBy(of, parsed.value) ? parsed.value : undefined;
}

function isHeldBy(of: ColumnCodec, value: CellValue): boolean {
  try {
    of.encode(value);
    return true;
  } catch {
    // The refusal is reported with the column's title.
    return false;
  }
}

function named(titles: readonly string[]): string {
  return titles.map((title) => `'${title}'`).join(', ');
}
