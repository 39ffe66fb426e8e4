import { type ReactNode, useState } from 'react';
import type { ColumnEntity } from '../../shared/index.ts';
import { useRegistry, useSharedT } from '../host.tsx';
import { Grip, matchesSearch, moved, SearchField, Switch, useSortable } from '../ui/index.ts';
import { isOffered } from './offered.ts';

/** A column's place in a view: the list determines the order. @public */
export interface FieldPlace {
  readonly columnId: string;
  readonly isShown: boolean;
}

/** The props of the editor for a view's fields. @public */
export interface FieldEditorProps {
  readonly columns: readonly ColumnEntity[];
  /** Columns that are absent are not offered. */
  readonly value: readonly FieldPlace[];
  readonly readOnly?: boolean;
  /** Whether system columns are offered, if that is stored elsewhere; by default the editor starts without them. */
  readonly withSystem?: boolean;
  /** Opens the view's options for a column; absent if there are none. */
  readonly onOptions?: (columnId: string) => void;
  onChange(this: void, value: readonly FieldPlace[]): void;
  readonly onWithSystem?: (withSystem: boolean) => void;
}

/** The most fields for which no search is needed. */
const fewFields = 7;

/**
 * Edits which columns a view shows and in which order. It has no state itself: the whole list is passed in, and passed out with
 * each change. The display column stays; system columns are offered on request, or if already shown.
 *
 * @public
 */
export function FieldEditor(props: FieldEditorProps): ReactNode {
  const { columns, value, readOnly, onOptions, onChange } = props;
  const t = useSharedT();
  const types = useRegistry('columnTypes');
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState(false);
  const { withSystem = chosen, onWithSystem = setChosen } = props;
  const isLocked = readOnly === true;
  const offered = value.flatMap((place) => {
    const column = columns.find(({ id }) => id === place.columnId);
    const isListed =
      column !== undefined && (place.isShown || (isOffered(column) && (withSystem || !column.system)));
    return isListed && matchesSearch(column.title, search.trim()) ? [{ place, column }] : [];
  });
  const sortable = useSortable(offered.length, (from, to) => {
    const at = (index: number): number => value.findIndex((place) => place === offered[index]?.place);
    onChange(moved(value, at(from), at(to)));
  });
  const showAll = (isShown: boolean): void =>
    onChange(
      value.map((place) => {
        const column = columns.find(({ id }) => id === place.columnId);
        const stays = column?.pv === true || (isShown && column !== undefined && !isOffered(column));
        return stays ? place : { ...place, isShown };
      }),
    );

  return (
    <>
      {value.length > fewFields && (
        <SearchField label={t('Search fields')} value={search} onChange={setSearch} />
      )}
      <ul className="tr-fields">
        {offered.map(({ place, column }, index) => (
          <li key={column.id} {...(!isLocked && sortable.row(index))}>
            <Switch
              checked={place.isShown}
              disabled={isLocked || column.pv}
              onChange={(isShown) =>
                onChange(value.map((other) => (other === place ? { ...place, isShown } : other)))
              }
            >
              <i
                className={`pi pi-${types.find((type) => type.id === column.uidt)?.icon ?? 'question-circle'}`}
                aria-hidden="true"
              />
              <span>{column.title}</span>
            </Switch>
            {onOptions && (
              <button
                type="button"
                className="tr-icon-button tr-icon-button--small"
                aria-label={t('Options of {{field}}', { field: column.title })}
                onClick={() => onOptions(column.id)}
              >
                <i className="pi pi-cog" aria-hidden="true" />
              </button>
            )}
            {!isLocked && (
              <Grip
                label={t('Move {{field}}: arrow up or down', { field: column.title })}
                handle={sortable.handle(index)}
              />
            )}
          </li>
        ))}
      </ul>
      <div className="tr-fields-all">
        <button type="button" className="tr-action" disabled={isLocked} onClick={() => showAll(true)}>
          {t('Show all')}
        </button>
        <button type="button" className="tr-action" disabled={isLocked} onClick={() => showAll(false)}>
          {t('Hide all')}
        </button>
        <span className="tr-gap" />
        <Switch checked={withSystem} onChange={onWithSystem}>
          {t('System fields')}
        </Switch>
      </div>
    </>
  );
}
