import type { ProjectEntity, TableEntity } from '../../shared/index.ts';
import type { ApiClient } from '../api.ts';
import type { Translate } from '../context.ts';
import type { WebColumnType } from '../extensions/column-types.ts';
import type { CellChange, CellFailure } from './cell-changes.ts';
import type { EditStep } from './edit-step.ts';
import type { RowsClient } from './rows-client.ts';

/** The context for writing cells. @public */
export interface WriteCellsOf {
  readonly rows: RowsClient;
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly api: Pick<ApiClient, 'request'>;
  readonly t: Translate;
  typeOf(this: void, uidt: string): WebColumnType | undefined;
}

/**
 * Writes the cells of a step individually: as values of their rows, or by the type's own calls for columns whose type writes its
 * cells itself. Resolves, once the new rows are shown, with the refused cells.
 *
 * @public
 */
export async function writeCells(
  { rows, project, table, api, t, typeOf }: WriteCellsOf,
  changes: readonly CellChange[],
  step: EditStep,
): Promise<readonly CellFailure[]> {
  const byColumn = new Map<string, CellChange[]>();
  const plain: CellChange[] = [];
  const columns = new Map((table.columns ?? []).map((column) => [column.id, column]));
  for (const change of changes) {
    const column = columns.get(change.columnId);
    const isOwn = column !== undefined && typeOf(column.uidt)?.writeCells !== undefined;
    if (!isOwn) plain.push(change);
    else byColumn.set(column.id, [...(byColumn.get(column.id) ?? []), change]);
  }
  const requestOf = ({ columnId, rowKey, value, before }: CellChange) => {
    const column = columns.get(columnId);
    return column && typeOf(column.uidt)?.cellRequest?.({ project, table, column, rowKey, value, before });
  };
  const [only] = plain;
  const request = changes.length === 1 && only !== undefined ? requestOf(only) : undefined;
  if (only !== undefined && request !== undefined)
    return attempted(plain, async () => {
      await rows.perform(request, step);
      await rows.source.settled();
      return [];
    });
  const failures: CellFailure[] = [];
  if (plain.length > 0) failures.push(...(await attempted(plain, () => rows.write(plain, step, 'cell'))));
  for (const [id, cells] of byColumn) {
    const column = columns.get(id);
    const write = column && typeOf(column.uidt)?.writeCells;
    if (column === undefined || write === undefined) continue;
    const refused = await attempted(cells, () =>
      write({
        project,
        table,
        column,
        changes: cells,
        t,
        request: (request) => api.request(request),
        perform: (request) => rows.perform(request, step),
      }),
    );
    failures.push(...refused);
  }
  if (byColumn.size > 0) await rows.source.settled();
  return failures;
}

/** If one column refuses everything, the others are still written. */
async function attempted(
  changes: readonly CellChange[],
  write: () => Promise<readonly CellFailure[]>,
): Promise<readonly CellFailure[]> {
  try {
    return await write();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return changes.map(({ rowKey, columnId }) => ({ rowKey, columnId, message }));
  }
}
