import type { RowKey } from '@trellis/sdk/shared';
import { messageOfError, needsValue, useHost, useRowPanel, type ViewProps } from '@trellis/sdk/web';
import type { GridColumn, GridHandle, GridSelectionReport } from '@trellis/sdk/web/grid';
import {
  deleteRows,
  duplicateRows,
  rowRights,
  takeBack,
  keepsRowOrder,
  type EditStep,
  type RowPlace,
  type RowRights,
  type RowsClient,
  type RowValues,
} from '@trellis/sdk/web/rows';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { GridGroups } from './use-grid-groups.tsx';
import { useTold } from './use-told.ts';

/** A person's actions on whole rows. Each reports its own errors. */
export interface RowCommands {
  /** The person's rights: nothing else is offered. */
  readonly rights: RowRights;
  /**
   * Adds a row; if rows are grouped, to the group of the row `beside`, counted among the shown rows. Resolves to its key when it is
   * shown, or to undefined if a panel asks for its values first. Scrolls to the row unless `isAwaited` says that the person has
   * gone elsewhere.
   */
  append(beside?: number, isAwaited?: () => boolean): Promise<RowKey | undefined>;
  /** Like `append`, for a row right before or after another one; undefined if this view's rows have no order of their own. */
  readonly insert:
    | ((beside: RowKey, side: RowPlace['side'], isAwaited?: () => boolean) => Promise<RowKey | undefined>)
    | undefined;
  /** Moves rows next to another one; undefined if they have no order of their own or are grouped. */
  readonly move: ((keys: readonly RowKey[], place: RowPlace) => void) | undefined;
  /** Like `append`, with the values that the group's rows share. */
  appendTo(group: string, isAwaited?: () => boolean): Promise<RowKey | undefined>;
  paste(rows: readonly RowValues[], step: EditStep): Promise<readonly RowKey[]>;
  delete(keys: readonly RowKey[]): void;
  duplicate(keys: readonly RowKey[]): void;
  takeBack(direction: 'undo' | 'redo'): void;
  /** Undefined if no plugin shows single rows. */
  readonly open: ((rowKey: RowKey) => void) | undefined;
}

interface RowCommandsOf extends ViewProps {
  readonly rows: RowsClient;
  readonly columns: readonly GridColumn[];
  readonly grid: RefObject<GridHandle | null>;
  readonly selection: RefObject<GridSelectionReport>;
  readonly grouped: GridGroups;
  /** Whether the view sorts its rows, so that the table's order is not visible. */
  readonly isSorted: boolean;
}

export function useRowCommands(of: RowCommandsOf): RowCommands {
  const { project, table, view, rows, columns, grid, selection } = of;
  const grouped = useRef(of.grouped);
  /** A row to scroll to when its group is expanded. */
  const awaited = useRef<number>(undefined);
  const host = useHost();
  const { t } = host;
  const panel = useRowPanel();

  const isArranged = !of.isSorted && keepsRowOrder(project, table);

  const run = useTold();

  /** Returns the focus to the grid after an answer, unless another panel or dialog is open by now. */
  const returnToGrid = (): void => {
    const isInDialog = Boolean(document.activeElement?.closest('[aria-modal="true"]'));
    if (!isInDialog) grid.current?.focus();
  };

  /** @param place the row's index among all rows of the view */
  const goTo = (place: number): void => {
    const first = columns.find((column) => column.whyReadOnly === undefined);
    const index = grouped.current.shownAt(place);
    awaited.current = index === undefined ? place : undefined;
    if (index === undefined) return grouped.current.reveal(place);
    if (first !== undefined) grid.current?.selectCell(index, first.entity.id);
    returnToGrid();
  };
  useLayoutEffect(() => {
    grouped.current = of.grouped;
    const place = awaited.current;
    if (place !== undefined && of.grouped.shownAt(place) !== undefined) goTo(place);
  });

  /** Returns to the row that was shown last, in the person's column. */
  const goBack = (rowKey: RowKey): void => {
    const place = rows.source.indexOf(rowKey);
    const index = place === undefined ? undefined : grouped.current.shownAt(place);
    const columnId = selection.current.active?.columnId;
    if (index !== undefined && columnId !== undefined) grid.current?.selectCell(index, columnId);
    grid.current?.focus();
  };

  const append = async (
    values: RowValues = {},
    isAwaited = () => true,
    place?: RowPlace,
  ): Promise<RowKey | undefined> => {
    // A row with a required value cannot be added empty: it is filled in first.
    if (panel !== undefined && (table.columns ?? []).some(needsValue)) {
      panel.open({ project, table, view, rows, rowKey: undefined, place, values, onAdded: goTo });
      return undefined;
    }
    const { row, index, isPlaced } = await rows.insert(values, place);
    if (isAwaited()) goTo(index);
    if (!isPlaced)
      host.toast({
        severity: 'info',
        summary: t(
          'The new row stays at the end for now; the filters and sorts of this view place it later.',
        ),
      });
    return row.key;
  };
  /** Reports the error; the grid reports what was typed for the row. */
  const appendOrTell = async (
    values: RowValues | undefined,
    isAwaited: (() => boolean) | undefined,
    place?: RowPlace,
  ): Promise<RowKey | undefined> => {
    try {
      return await append(values, isAwaited, place);
    } catch (error) {
      host.toast({ severity: 'error', summary: messageOfError(error, t) });
      return undefined;
    }
  };

  const duplicate = async (keys: readonly RowKey[]): Promise<void> => {
    const last = keys.at(-1);
    const place = last === undefined || !isArranged ? undefined : ({ side: 'after', row: last } as const);
    const made = await duplicateRows(rows, { table, place }, keys, host);
    const index = made[0] === undefined ? undefined : rows.source.indexOf(made[0]);
    if (index !== undefined) goTo(index);
  };

  const remove = async (keys: readonly RowKey[]): Promise<void> => {
    const isShown = (key: RowKey) => grouped.current.source.indexOf(key) !== undefined;
    const isDeleted = await deleteRows(rows, { project, table, isShown }, keys, host);
    returnToGrid();
    if (isDeleted) grid.current?.clearRowSelection();
  };

  /** The values that the rows of a row's group share. */
  const valuesAt = (index: number | undefined): RowValues | undefined => {
    const group = index === undefined ? undefined : grouped.current.groupAt(index);
    return group === undefined ? undefined : grouped.current.valuesOf(group);
  };

  return {
    rights: rowRights(project, table),
    append: (beside, isAwaited) => appendOrTell(valuesAt(beside), isAwaited),
    insert: isArranged
      ? async (beside, side, isAwaited) => {
          const index = grouped.current.source.indexOf(beside);
          return appendOrTell(valuesAt(index), isAwaited, { side, row: beside });
        }
      : undefined,
    move:
      isArranged && of.grouped.heads === undefined ? (keys, place) => run(rows.move(keys, place)) : undefined,
    appendTo: (group, isAwaited) => appendOrTell(grouped.current.valuesOf(group), isAwaited),
    paste: async (values, step) => {
      const keys = await rows.insertMany(values, step);
      await rows.source.settled();
      return keys;
    },
    delete: (keys) => run(remove(keys)),
    duplicate: (keys) => run(duplicate(keys)),
    takeBack: (direction) => void takeBack(rows, direction, host),
    open: panel && ((rowKey) => panel.open({ project, table, view, rows, rowKey, onClosed: goBack })),
  };
}
