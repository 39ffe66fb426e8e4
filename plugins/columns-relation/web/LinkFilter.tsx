import { writeTextList, type Row, type RowKey, type TableEntity } from '@trellis/sdk/shared';
import {
  keyOfRow,
  nameOfRow,
  useServerData,
  useT,
  useVisitedView,
  type FilterValueProps,
  type FoundPage,
} from '@trellis/sdk/web';
import { PickButton, PickPanel } from '@trellis/sdk/web/ui';
import { RowPicker } from '@trellis/sdk/web/views';
import { useRef, useState } from 'react';
import { keysIn, mostRows } from '../shared/index.ts';
import { ChosenRows } from './ChosenRows.tsx';
import { answersRequest, linkOf, rowsOfKeysRequest, useLinkedTable } from './link-calls.ts';

/** At most this many rows of a filter are asked for their names, and are named on its button. */
const mostNamed = 25;
const mostOnButton = 3;

/** Chooses the rows of a link filter. Visitors see only their number: a shared view does not reveal which rows exist. */
export function LinkFilter({ column, value, readOnly, label, onChange }: FilterValueProps) {
  const t = useT();
  const visit = useVisitedView();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const keys = keysIn(value);
  const other = useLinkedTable(linkOf(column)?.tableId);
  const { nameOf, remember } = useNames(column, visit === undefined ? other : undefined, keys);
  const rows = keys.map((key) => ({ key, name: nameOf(key) }));
  const isShut = readOnly || visit !== undefined || other === undefined;
  const keep = (next: readonly RowKey[]) => onChange(writeTextList(next));
  const words =
    visit === undefined
      ? rows.map(({ name }) => name)
      : [
          keys.length === 0
            ? t('Members of the project choose rows.')
            : t('{{count}} rows', { count: keys.length, one: '1 row' }),
        ];

  return (
    <fieldset className="tr-text-input tr-filter-editor" disabled={isShut}>
      <PickButton
        ref={setAnchor}
        label={[label ?? column.title, ...words].join(', ')}
        isOpen={isOpen}
        onOpen={() => setOpen(true)}
      >
        <span className="cr-chips">
          {words.length === 0 && <span className="cr-none">{t('Choose rows')}</span>}
          {words.slice(0, mostOnButton).map((word, index) => (
            <span key={index} className="cr-chip" dir="auto">
              {word}
            </span>
          ))}
          {words.length > mostOnButton && (
            <span className="cr-more">{`+${words.length - mostOnButton}`}</span>
          )}
        </span>
      </PickButton>
      {isOpen && anchor !== null && other !== undefined && (
        <PickPanel
          label={column.title}
          anchor={anchor}
          width={320}
          isMultiple
          onClear={keys.length === 0 ? undefined : () => keep([])}
          onDone={() => setOpen(false)}
          onCancel={() => setOpen(false)}
        >
          <div ref={panel}>
            <RowPicker
              project={{ id: column.project_id }}
              table={other}
              taken={new Set(keys)}
              isFull={keys.length >= mostRows}
              requestOf={(asked) => answersRequest(partsOf(column), other, { ...asked, visit })}
              onChoose={(row, key) => {
                if (key === undefined) return;
                remember(key, row);
                keep([...keys, key]);
              }}
            />
            <ChosenRows
              rows={rows}
              onRemove={(key) => keep(keys.filter((of) => of !== key))}
              instead={() => panel.current?.querySelector('input')}
            />
          </div>
        </PickPanel>
      )}
    </fieldset>
  );
}

type Column = FilterValueProps['column'];

const partsOf = (column: Column) => ({ column, project: { id: column.project_id } });

/** The names of the rows with these keys. Deleted and hidden rows are named by their keys. */
function useNames(column: Column, other: TableEntity | undefined, keys: readonly RowKey[]) {
  const t = useT();
  const [chosen, setChosen] = useState<ReadonlyMap<RowKey, Row>>(new Map());
  const asked = keys.filter((key) => !chosen.has(key)).slice(0, mostNamed);
  const request =
    other === undefined || asked.length === 0 ? undefined : rowsOfKeysRequest(partsOf(column), other, asked);
  const { data, error } = useServerData<FoundPage>(request, {
    tags: [`names of ${column.id}`],
    keepsLast: true,
    isDraft: true,
  });
  const isAnswered =
    data !== undefined || error !== undefined || (request === undefined && other !== undefined);
  return {
    nameOf(key: RowKey): string {
      const row =
        chosen.get(key) ?? data?.list.find((of) => other !== undefined && keyOfRow(other, of) === key);
      const name = row && other && nameOfRow(other, row);
      return name || (isAnswered ? t('Row {{key}}', { key }) : '…');
    },
    /** Remembers the name of a row that was just chosen. */
    remember(key: RowKey, row: Row): void {
      setChosen((before) => new Map(before).set(key, row));
    },
  };
}
