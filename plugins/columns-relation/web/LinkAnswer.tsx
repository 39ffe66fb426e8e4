import type { CellValue, TableEntity } from '@trellis/sdk/shared';
import { useT, useVisitedView, type AnswerProps } from '@trellis/sdk/web';
import { ErrorNotice, SearchField, Skeleton } from '@trellis/sdk/web/ui';
import { useRef, useState } from 'react';
import { linkedRowsOf, nameOf, type LinkedRow } from '../shared/index.ts';
import { answersRequest, displayOf, keyOf, linkedRowOf, linkOf, useLinkedTable } from './link-calls.ts';
import { useCandidates } from './use-candidates.ts';

/** Candidates that are read at a time. */
const step = 10;
/** Rows that a new row is linked to at the most, by one column. */
const most = 100;

/** Asks which rows a new row is linked to: those that were chosen, and a list to choose from. */
export default function LinkAnswer(props: AnswerProps) {
  const { column, value, labelledBy, onChange } = props;
  const t = useT();
  const link = linkOf(column);
  const other = useLinkedTable(link?.tableId);
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const chosen = linkedRowsOf(value);
  const isOne = link?.type === 'bt';
  const isFull = chosen.length >= (isOne ? 1 : most);
  const keep = (rows: readonly LinkedRow[]) => onChange(rows.length === 0 ? null : (rows as CellValue));

  return (
    <div className="cr-answer" role="group" aria-labelledby={labelledBy}>
      {chosen.length > 0 && (
        <ul className="cr-chosen">
          {chosen.map((row) => (
            <li key={JSON.stringify(row)} className="cr-chip">
              <span dir="auto">{nameOf(row) || '—'}</span>
              <button
                type="button"
                aria-label={t('Take {{row}} away', { row: nameOf(row) })}
                onClick={() => {
                  keep(chosen.filter((one) => one !== row));
                  opener.current?.focus();
                }}
              >
                <i className="pi pi-times" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <button
        ref={opener}
        type="button"
        className="tr-button"
        aria-expanded={isOpen}
        disabled={other === undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <i className={`pi pi-${isOpen ? 'chevron-up' : 'plus'}`} aria-hidden="true" />
        {isOpen ? t('Close the list') : isOne ? t('Choose a row') : t('Choose rows')}
      </button>
      {isOpen && other !== undefined && (
        <Choices
          {...props}
          other={other}
          isFull={isFull && !isOne}
          chosen={chosen}
          onChoose={(row) => {
            keep(isOne ? [row] : [...chosen, row]);
            if (!isOne) return;
            setOpen(false);
            opener.current?.focus();
          }}
        />
      )}
    </div>
  );
}

interface ChoicesProps extends AnswerProps {
  readonly other: TableEntity;
  readonly chosen: readonly LinkedRow[];
  readonly isFull: boolean;
  readonly onChoose: (row: LinkedRow) => void;
}

function Choices({ other, chosen, isFull, onChoose, ...props }: ChoicesProps) {
  const t = useT();
  const visit = useVisitedView();
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(step);
  const box = useRef<HTMLDivElement>(null);
  const { found, total, problem, isLoading, isAnswered, retry } = useCandidates(
    (asked) => answersRequest(props, other, { ...asked, visit }),
    { search, limit, version: 0 },
  );
  const taken = new Set(chosen.map((row) => keyOf(other, row)));
  const offered = found.filter((row) => !taken.has(keyOf(other, row)));
  return (
    <div ref={box} className="cr-choices" tabIndex={-1}>
      {visit?.allowsSearch !== false && (
        <SearchField
          label={t('Search {{table}}', { table: other.title })}
          value={search}
          onChange={setSearch}
        />
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
      {isLoading && <Skeleton height={34} count={3} />}
      <ul className="cr-rows" aria-busy={!isAnswered}>
        {offered.map((row) => (
          <li key={keyOf(other, row) ?? JSON.stringify(row)}>
            <button
              type="button"
              className="cr-row"
              disabled={isFull}
              onClick={() => onChoose(linkedRowOf(other, row))}
            >
              <strong dir="auto">
                {displayOf(other, row) || t('Row {{key}}', { key: keyOf(other, row) ?? '' })}
              </strong>
            </button>
          </li>
        ))}
      </ul>
      {isAnswered && found.length === 0 && (
        <p className="tr-note">
          {search.trim() === '' ? t('There are no other rows.') : t('No row matches.')}
        </p>
      )}
      {found.length < total && limit < most && (
        <button type="button" className="tr-link" onClick={() => setLimit((now) => now + step)}>
          {t('Show more')}
        </button>
      )}
    </div>
  );
}
