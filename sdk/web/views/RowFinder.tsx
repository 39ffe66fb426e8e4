import { useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import type { Row, TableEntity } from '../../shared/index.ts';
import { useSharedT } from '../host.tsx';
import { keyOfRow } from '../rows-by-name.ts';
import { ErrorNotice, SearchField, Skeleton } from '../ui/index.ts';
import type { FoundRows } from './use-found-rows.ts';

/** Rows that were found, for whoever draws them in an own way; `RowPicker` is the usual one. @public */
export interface RowFinderProps {
  /** The table of the rows, with its columns. */
  readonly table: TableEntity;
  readonly rows: FoundRows;
  readonly search: string;
  /** Left out where nobody may search. */
  readonly onSearch?: ((search: string) => void) | undefined;
  /** Keys of the search field. */
  onKeyDown?(this: void, event: KeyboardEvent): void;
  /** Reads more; left out where more may not be read. */
  readonly onMore?: (() => void) | undefined;
  /** Whether something is done with a row meanwhile. */
  readonly isBusy?: boolean;
  readonly list?: RefObject<HTMLUListElement | null>;
  /** A row of the list, as what stands in an `<li>`. */
  children(this: void, row: Row, index: number): ReactNode;
  /** Rows that are not shown. */
  isLeftOut?(this: void, row: Row): boolean;
  /** The attributes of the `<li>`: `data-next`. */
  isNext?(this: void, row: Row): boolean;
}

/** A field to search rows by their name, over those that were found: with what went wrong, a way to try again, and one to see more. @public */
export function RowFinder(props: RowFinderProps): ReactNode {
  const { table, rows, search, onSearch, onMore, isBusy = false, list, children, isNext, isLeftOut } = props;
  const t = useSharedT();
  const box = useRef<HTMLDivElement>(null);
  const { found, total, problem, isLoading, isAnswered, retry } = rows;
  const shown = found.filter((row) => isLeftOut?.(row) !== true);
  return (
    <div ref={box} className="tr-row-finder" tabIndex={-1}>
      {onSearch && (
        <div role="presentation" onKeyDown={props.onKeyDown}>
          <SearchField
            label={t('Search {{table}}', { table: table.title })}
            value={search}
            onChange={onSearch}
          />
        </div>
      )}
      {problem !== undefined && (
        <ErrorNotice
          message={problem}
          onRetry={() => {
            retry();
            // The button goes with the error, and the keys would go with it.
            (box.current?.querySelector('input') ?? box.current)?.focus();
          }}
        />
      )}
      {isLoading && <Skeleton height={38} count={3} />}
      <ul className="tr-rows" aria-busy={isBusy || !isAnswered} ref={list}>
        {shown.map((row, index) => (
          <li key={keyOfRow(table, row) ?? JSON.stringify(row)} data-next={isNext?.(row)}>
            {children(row, index)}
          </li>
        ))}
      </ul>
      {isAnswered && shown.length === 0 && found.length >= total && (
        <p className="tr-note">
          {search.trim() === '' ? t('There are no other rows.') : t('No row matches.')}
        </p>
      )}
      {onMore && found.length < total && (
        <button type="button" className="tr-link" onClick={onMore}>
          {t('Show more')}
        </button>
      )}
    </div>
  );
}
