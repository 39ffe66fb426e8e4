import type { ReactNode } from 'react';
import type { ColumnEntity, SortKey } from '../../shared/index.ts';
import { useT } from '../host.tsx';
import { moved, Select, useSortable } from '../ui/index.ts';
import { RemoveButton } from './FilterEditor.tsx';
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
}

/** Edits by which columns rows are sorted. It keeps nothing itself: the whole list comes in, and goes out with each change. @public */
export function SortEditor({ columns, value, readOnly, emptyText, onChange }: SortEditorProps): ReactNode {
  const t = useT();
  const isLocked = readOnly === true;
  const free = columns.filter((column) => value.every((sort) => sort.columnId !== column.id));
  const canMove = !isLocked && value.length > 1;
  const sortable = useSortable(value.length, (from, to) => onChange(moved(value, from, to)));
  const next = free.find((column) => column.system !== true) ?? free[0];

  return (
    <>
      {value.length === 0 && <p className="tr-note">{emptyText}</p>}
      {value.map((sort, index) => {
        const change = (patch: Partial<SortKey> | undefined) =>
          onChange(replaced(value, index, patch && { ...sort, ...patch }));
        return (
          <div key={sort.columnId} className="tr-filter-line" {...sortable.row(index)}>
            {canMove && (
              <button
                type="button"
                className="tr-grip"
                aria-label={t('Move this sort: arrow up or down')}
                {...sortable.handle(index)}
              >
                <i className="pi pi-bars" aria-hidden="true" />
              </button>
            )}
            <span className="tr-filter-word">{index === 0 ? t('by') : t('then by')}</span>
            <Select
              className="tr-select--wide"
              label={t('Column to sort by')}
              disabled={isLocked}
              value={sort.columnId}
              options={columns
                .filter((column) => column.id === sort.columnId || free.includes(column))
                .map(({ id, title }) => ({ value: id, label: title }))}
              onChange={(columnId) => change({ columnId })}
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
              label={t('Remove this sort')}
              readOnly={isLocked}
              onRemove={() => change(undefined)}
            />
          </div>
        );
      })}
      {!isLocked && next !== undefined && (
        <button
          type="button"
          className="tr-action"
          onClick={() => onChange([...value, { columnId: next.id, direction: 'asc' }])}
        >
          <i className="pi pi-plus" aria-hidden="true" /> {t('Add sort')}
        </button>
      )}
    </>
  );
}
