import { type ReactNode, useRef, useState } from 'react';
import type { ColumnEntity, SortKey } from '../../shared/index.ts';
import { holdsSeveral } from '../columns.ts';
import { useSharedT } from '../host.tsx';
import { Grip, moved, Select, useKeptFocus, useSortable } from '../ui/index.ts';
import { RemoveButton } from './FilterEditor.tsx';
import { LineKeys } from './line-keys.ts';
import { isOffered } from './offered.ts';
import { replaced } from './replaced.ts';

/** The order of rows and the way to change it. @public */
export interface SortEditorProps {
  /** The columns that may be sorted by. */
  readonly columns: readonly ColumnEntity[];
  /** Each column at most once, the first one decides. */
  readonly value: readonly SortKey[];
  readonly readOnly?: boolean;
  /** What no sort means. */
  readonly emptyText: string;
  onChange(this: void, value: readonly SortKey[]): void;
  /** Which of the columns that are left comes next; the first one that people see where it says nothing. */
  propose?(this: void, left: readonly ColumnEntity[]): ColumnEntity | undefined;
}

/** Edits by which columns rows are sorted. It keeps nothing itself: the whole list comes in, and goes out with each change. @public */
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

/** Edits by which columns rows are grouped, as `SortEditor` edits sorts. @public */
export function GroupEditor(props: SortEditorProps): ReactNode {
  const t = useSharedT();
  const words = {
    move: t('Move this grouping: arrow up or down'),
    column: t('Column to group by'),
    remove: t('Remove this grouping'),
    add: t('Add grouping'),
  };
  // One that is chosen, such as over the API, is named all the same.
  const columns = props.columns.filter(
    (column) => !holdsSeveral(column) || props.value.some(({ columnId }) => columnId === column.id),
  );
  return <OrderEditor {...props} columns={columns} words={words} most={mostGroups} />;
}

/** Columns that rows may be grouped by at once. @public */
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
