import type { CellValue } from '@trellis/sdk/shared';
import { keyOfRow, useT, useVisitedView, type AnswerProps } from '@trellis/sdk/web';
import { RowPicker } from '@trellis/sdk/web/views';
import { useRef, useState } from 'react';
import { linkedRowsOf, nameOf, type LinkedRow } from '../shared/index.ts';
import { ChosenRows } from './ChosenRows.tsx';
import { answersRequest, linkedRowOf, linkOf, useLinkedTable } from './link-calls.ts';

/** At most this many rows can be linked to a new row by one column. */
const most = 100;

/** Asks for the rows to link a new row to: shows the chosen rows and a list to choose from. */
export default function LinkAnswer(props: AnswerProps) {
  const { column, value, labelledBy, onChange } = props;
  const t = useT();
  const visit = useVisitedView();
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
        <ChosenRows
          rows={chosen.map((row) => ({ key: JSON.stringify(row), name: nameOf(row) }))}
          onRemove={(key) => {
            keep(chosen.filter((row) => JSON.stringify(row) !== key));
            opener.current?.focus();
          }}
        />
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
        <div className="cr-choices">
          <RowPicker
            project={{ id: props.project?.id ?? '' }}
            table={other}
            taken={new Set(chosen.map((row) => keyOfRow(other, row)))}
            isFull={isFull && !isOne}
            canSearch={visit?.allowsSearch !== false}
            requestOf={(asked) => answersRequest(props, other, { ...asked, visit })}
            onChoose={(row) => {
              keep(isOne ? [linkedRowOf(other, row)] : [...chosen, linkedRowOf(other, row)]);
              if (!isOne) return;
              setOpen(false);
              opener.current?.focus();
            }}
          />
        </div>
      )}
    </div>
  );
}
