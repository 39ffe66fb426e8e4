import { useRef, useState, type ReactNode } from 'react';
import type { ProjectEntity, Row, RowKey, TableEntity } from '../../shared/index.ts';
import type { ApiRequest } from '../api.ts';
import { useSharedT } from '../host.tsx';
import { keyOfRow, nameOfRow, rowsByName, type RowsAsked } from '../rows-by-name.ts';
import { useKeptFocus } from '../ui/index.ts';
import { RowFinder } from './RowFinder.tsx';
import { useFoundRows } from './use-found-rows.ts';

/** Rows per load. */
const step = 10;
/** The most rows that are loaded; for others the person searches. */
const most = 100;

/** The props of a choice of a table's row. @public */
export interface RowPickerProps {
  readonly project: Pick<ProjectEntity, 'id'>;
  /** With its columns. */
  readonly table: TableEntity;
  onChoose(this: void, row: Row, key: RowKey | undefined): void;
  /** Keys of rows that are already chosen, and are not offered. */
  readonly taken?: ReadonlySet<RowKey | undefined>;
  /** Whether no more rows can be chosen. */
  readonly isFull?: boolean;
  /** The request for rows; default: all rows of the table. */
  requestOf?(this: void, asked: RowsAsked): ApiRequest;
  /** False if searching is not allowed. */
  readonly canSearch?: boolean;
}

/** A list of a table's rows to choose from, with a search by their name. @public */
export function RowPicker(props: RowPickerProps): ReactNode {
  const { project, table, taken, isFull = false, canSearch = true, onChoose } = props;
  const { requestOf = (asked) => rowsByName(project, table, asked) } = props;
  const t = useSharedT();
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(step);
  const rows = useFoundRows(requestOf, { search, limit });
  // A chosen row disappears.
  const box = useRef<HTMLDivElement>(null);
  const { list, pressed } = useKeptFocus(() =>
    box.current?.querySelector<HTMLElement>(canSearch ? 'input' : '.tr-row-finder'),
  );
  return (
    <div ref={box}>
      <RowFinder
        {...{ table, rows, search, list }}
        onSearch={canSearch ? setSearch : undefined}
        onMore={limit < most ? () => setLimit((now) => now + step) : undefined}
        isLeftOut={(row) => taken?.has(keyOfRow(table, row)) === true}
      >
        {(row, index) => (
          <button
            type="button"
            className="tr-row"
            data-entry-action
            disabled={isFull}
            onClick={() => {
              pressed(index);
              onChoose(row, keyOfRow(table, row));
            }}
          >
            <strong dir="auto">
              {nameOfRow(table, row) || t('Row {{key}}', { key: keyOfRow(table, row) ?? '' })}
            </strong>
          </button>
        )}
      </RowFinder>
    </div>
  );
}
