import type { RowKey } from '../../shared/index.ts';
import { messageOfError } from '../attempt.ts';
import { needsValue, readTyped } from '../columns.ts';
import type { ViewProps } from '../extensions/index.ts';
import { useHost } from '../host.tsx';
import {
  deleteRows,
  duplicateRows,
  rowRights,
  type AddedRow,
  type RowPlace,
  type RowsClient,
  type RowValues,
} from '../rows/index.ts';
import { useRowPanel } from '../visited-view.ts';
import type { CardSelection } from './use-card-selection.ts';

/** The actions of a person on the cards of a view. Each shows its own errors. @public */
export interface CardCommands {
  /** Undefined while no plugin shows single rows. */
  readonly open: ((rowKey: RowKey) => void) | undefined;
  /** Undefined if rows are read-only, like the next two. */
  readonly duplicate: ((keys: readonly RowKey[]) => Promise<void>) | undefined;
  /** Resolves with whether they were deleted. */
  readonly delete: ((keys: readonly RowKey[]) => Promise<boolean>) | undefined;
  /**
   * Adds a row by its name, with the given values. Resolves with undefined if it was refused, or if a panel asks for further values
   * first.
   */
  readonly add:
    ((name: string, values: RowValues, place?: RowPlace) => Promise<AddedRow | undefined>) | undefined;
  /**
   * Opens a new row with the given values, which is added when the person saves it. If no plugin shows single rows, it is added at
   * once.
   */
  readonly draft: ((values: RowValues) => void) | undefined;
}

/** The actions that the person may take on the cards of a view. @public */
export function useCardCommands(
  { project, table, view, readOnly }: ViewProps,
  {
    rows,
    isArranged,
    focus,
    selection,
  }: {
    readonly rows: RowsClient;
    readonly isArranged: boolean;
    /** Returns the focus to a card. */
    focus(this: void, rowKey: RowKey): void;
    /** If cards can be selected: deleted ones are removed from the selection. */
    readonly selection?: CardSelection;
  },
): CardCommands {
  const host = useHost();
  const { t } = host;
  const panel = useRowPanel();
  const naming = table.columns?.find(({ pv }) => pv);
  const rights = rowRights(project, table);

  async function told<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work();
    } catch (error) {
      host.toast({ severity: 'error', summary: messageOfError(error, t) });
      return otherwise;
    }
  }

  const add = (name: string, given: RowValues, place?: RowPlace) =>
    told<AddedRow | undefined>(async () => {
      const read = naming && readTyped(name, naming, host.registry('columnTypes').get(naming.uidt), t);
      if (read?.ok === false) {
        host.toast({ severity: 'error', summary: read.message });
        return undefined;
      }
      const values = naming === undefined || name === '' ? given : { ...given, [naming.id]: read?.value };
      const lacks = (table.columns ?? []).some(
        (column) => needsValue(column) && values[column.id] === undefined,
      );
      if (panel !== undefined && lacks) {
        panel.open({ project, table, view, rows, rowKey: undefined, place, values });
        return undefined;
      }
      const added = await rows.insert(values, place);
      if (!added.isPlaced)
        host.toast({
          severity: 'info',
          summary: t(
            'The new row stays at the end for now; the filters and sorts of this view place it later.',
          ),
        });
      return added;
    }, undefined);

  const draft = (values: RowValues): void => {
    if (panel === undefined) void add('', values);
    else panel.open({ project, table, view, rows, rowKey: undefined, values, areDefaults: true });
  };

  return {
    open: panel && ((rowKey) => panel.open({ project, table, view, rows, rowKey, onClosed: focus })),
    duplicate:
      !readOnly && rights.addMany
        ? (keys) =>
            told(async () => {
              const last = keys.at(-1);
              const place =
                last === undefined || !isArranged ? undefined : ({ side: 'after', row: last } as const);
              await duplicateRows(rows, { table, place }, keys, host);
            }, undefined)
        : undefined,
    delete:
      !readOnly && rights.delete
        ? (keys) =>
            told(async () => {
              const isGone = await deleteRows(rows, { project, table }, keys, host);
              if (isGone) selection?.forget(keys);
              return isGone;
            }, false)
        : undefined,
    add: !readOnly && rights.add ? add : undefined,
    draft: !readOnly && rights.add ? draft : undefined,
  };
}
