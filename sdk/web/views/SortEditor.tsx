import { type ReactNode, useRef, useState } from 'react';
import type { ColumnEntity, SortKey } from '../../shared/index.ts';
import { holdsSeveral } from '../columns.ts';
import { useSharedT } from '../host.tsx';
import { Grip, moved, Select, useKeptFocus, useSortable } from '../ui/index.ts';
import { RemoveButton } from './FilterEditor.tsx';
import { LineKeys } from './line-keys.ts';
import { isOffered } from './offered.ts';
import { replaced } from './replaced.ts';

/** The props of the sort editor. @public */
export interface SortEditorProps {
  /** The columns for sorting. */
  readonly columns: readonly ColumnEntity[];
  /** Each column at most once, the most significant first. */
  readonly value: readonly SortKey[];
  readonly readOnly?: boolean;
  /** The text for an empty list. */
  readonly emptyText: string;
  onChange(this: void, value: readonly SortKey[]): void;
  /** Proposes the next of the remaining columns; by default the first visible one. */
  propose?(this: void, left: readonly ColumnEntity[]): ColumnEntity | undefined;
}

/** Edits the sort columns. It has no state itself: the whole list is passed in, and passed out with each change. @public */
export function SortEditor(props: SortEditorProps): ReactNode {
  const t = useSharedT();
  const words = {
    move: t('Move this sort: arrow up or down'),
    column: t('Column to sort by'),
    remove: t('Remove this sort'),
    add: t('Add sort'),
  };
  return <OrderEditor {...props} words={words} />;
}

/** Edits the grouping columns, like `SortEditor`. @public */
export function GroupEditor(props: SortEditorProps): ReactNode {
  const t = useSharedT();
  const words = {
    move: t('Move this grouping: arrow up or down'),
    column: t('Column to group by'),
    remove: t('Remove this grouping'),
    add: t('Add grouping'),
  };
  // A chosen one, such as through the API, is still shown.
  const columns = props.columns.filter(
    (column) => !holdsSeveral(column) || props.value.some(({ columnId }) => columnId === column.id),
  );
  return <OrderEditor {...props} columns={columns} words={words} most={mostGroups} />;
}

/** The most columns of a grouping. @public */
export const mostGroups = 3;

interface OrderEditorProps extends SortEditorProps {
  readonly words: Readonly<Record<'move' | 'column' | 'remove' | 'add', string>>;
  readonly most?: number;
}

function OrderEditor(props: OrderEditorProps): ReactNode {
  const { columns, value, readOnly, emptyText, words, most = Infinity, onChange } = props;
  const t = useSharedT();
  const isLocked = readOnly === true;
  const free = columns.filter(
    (column) => isOffered(column) && value.every((sort) => sort.columnId !== column.id),
  );
  const canMove = !isLocked && value.length > 1;
  const sortable = useSortable(value.length, (from, to) => onChange(moved(value, from, to)));
  const [keys] = useState(() => new LineKeys());
  const more = useRef<HTMLButtonElement>(null);
  const { list, pressed } = useKeptFocus(() => more.current);
  const next = props.propose?.(free) ?? free.find((column) => column.system !== true) ?? free[0];

  return (
    <>
      {value.length === 0 && <p className="tr-note">{emptyText}</p>}
      <ul ref={list} className="tr-filters">
        {value.map((sort, index) => {
          const change = (patch: Partial<SortKey>) => onChange(replaced(value, index, { ...sort, ...patch }));
          return (
            <li key={keys.of(sort.columnId)} className="tr-filter-line" {...sortable.row(index)}>
              {canMove && <Grip label={words.move} handle={sortable.handle(index)} />}
              <span className="tr-filter-word">{index === 0 ? t('by') : t('then by')}</span>
              <Select
                className="tr-select--wide"
                label={words.column}
                disabled={isLocked}
                value={sort.columnId}
                options={columns
                  .filter((column) => column.id === sort.columnId || free.includes(column))
                  .map(({ id, title }) => ({ value: id, label: title }))}
                onChange={(columnId) => {
                  keys.move(sort.columnId, columnId);
                  change({ columnId });
                }}
              />
              <Select<SortKey['direction']>
                label={t('Direction')}
                disabled={isLocked}
                value={sort.direction}
                options={[
                  { value: 'asc', label: t('ascending') },
                  { value: 'desc', label: t('descending') },
                ]}
                onChange={(direction) => change({ direction })}
              />
              <RemoveButton
                label={words.remove}
                readOnly={isLocked}
                onRemove={() => {
                  pressed(index);
                  onChange(replaced(value, index, undefined));
                }}
              />
            </li>
          );
        })}
      </ul>
      {!isLocked && next !== undefined && value.length < most && (
        <button
          ref={more}
          type="button"
          className="tr-action"
          onClick={() => onChange([...value, { columnId: next.id, direction: 'asc' }])}
        >
          <i className="pi pi-plus" aria-hidden="true" /> {words.add}
        </button>
      )}
    </>
  );
}
