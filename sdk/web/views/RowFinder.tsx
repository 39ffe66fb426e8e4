import { useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import type { Row, TableEntity } from '../../shared/index.ts';
import { useSharedT } from '../host.tsx';
import { keyOfRow } from '../rows-by-name.ts';
import { ErrorNotice, SearchField, Skeleton } from '../ui/index.ts';
import type { FoundRows } from './use-found-rows.ts';

/** The props of found rows with a custom presentation; `RowPicker` is the usual one. @public */
export interface RowFinderProps {
  /** The table of the rows, with its columns. */
  readonly table: TableEntity;
  readonly rows: FoundRows;
  readonly search: string;
  /** Absent if searching is not allowed. */
  readonly onSearch?: ((search: string) => void) | undefined;
  /** Keys of the search field. */
  onKeyDown?(this: void, event: KeyboardEvent): void;
  /** Loads more; absent if that is not allowed. */
  readonly onMore?: (() => void) | undefined;
  /** Whether an action on a row is running. */
  readonly isBusy?: boolean;
  readonly list?: RefObject<HTMLUListElement | null>;
  /** Draws a row, as the content of an `<li>`. */
  children(this: void, row: Row, index: number): ReactNode;
  /** Whether a row is hidden. */
  isLeftOut?(this: void, row: Row): boolean;
  /** For the attribute `data-next` of the `<li>`. */
  isNext?(this: void, row: Row): boolean;
}

/** A search field for rows by their name, above the found ones, with errors, a button to retry, and one to load more. @public */
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
            // When the button disappears with the error, the focus would be lost.
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
