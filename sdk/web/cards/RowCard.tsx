import type { HTMLAttributes, MouseEvent, ReactNode, Ref } from 'react';
import type { CellValue, ColumnEntity } from '../../shared/index.ts';
import { columnContext, showCell, showInHeading } from '../columns.ts';
import { Contribution } from '../contribution.tsx';
import { useSharedT } from '../host.tsx';
import { titledRow, type RowData } from '../rows/index.ts';
import { fieldsWithValue, hasValue, type CardField, type CardFields, type CardLook } from './card-fields.ts';
import './cards.css';

/** The props of a row as a card. Further attributes and handlers are passed to its element. @public */
export interface RowCardProps extends HTMLAttributes<HTMLElement> {
  /** Undefined while it is loading. */
  readonly row: RowData | undefined;
  readonly card: CardFields;
  readonly look: CardLook;
  /** All columns of the table, including hidden ones. */
  readonly tableColumns: readonly ColumnEntity[];
  readonly ref?: Ref<HTMLElement>;
  /** The content of its upper corner, such as a checkbox. Clicks there do not count for the card. */
  readonly corner?: ReactNode;
}

/** The title of a row on its card; empty if it is masked. */
function titleOfCard(row: RowData | undefined, { naming }: CardFields): string {
  return row === undefined || naming === undefined
    ? ''
    : showInHeading(row.values[naming.column.id], naming.column, naming.type);
}

/** Whether an element is in the corner of a card. */
const isInCorner = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('.tr-card-corner') !== null;

/** A row as a card: its cover, its title, and the fields that the view shows. @public */
export function RowCard(props: RowCardProps): ReactNode {
  const { row, card, look, tableColumns, ref, corner, className = '', onClick, ...rest } = props;
  const t = useSharedT();
  const { naming } = card;
  const title = titleOfCard(row, card);
  const isCovered = row !== undefined && naming?.type?.isCovered === true && hasValue(naming, row);
  const spoken = title || (isCovered ? t('Row {{key}}', { key: row.key }) : t('Untitled row'));
  const onCard = onClick && {
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (!isInCorner(event.target)) onClick(event);
    },
  };
  return (
    <article
      {...rest}
      {...onCard}
      ref={ref}
      className={`tr-card ${className}`}
      aria-label={row === undefined ? t('Loading …') : spoken}
      aria-busy={row === undefined || undefined}
    >
      {card.cover !== undefined && (
        <div className="tr-card-cover" style={{ height: look.coverHeight }} data-fit={look.coverFit}>
          {row && <Cover field={card.cover} row={row} fit={look.coverFit} />}
        </div>
      )}
      <div className="tr-card-body">
        <div className="tr-card-name">
          {row === undefined ? (
            <Waiting />
          ) : isCovered ? (
            <Value field={naming} {...{ row, tableColumns }} />
          ) : (
            title || <span className="tr-card-none">{t('Untitled row')}</span>
          )}
        </div>
        {fieldsWithValue(card, row).map((field) => (
          <div className="tr-card-field" key={field.column.id} data-named={look.showsNames}>
            {look.showsNames && <span className="tr-card-label">{field.column.title}</span>}
            <span className="tr-card-value" title={look.showsNames ? undefined : field.column.title}>
              {row === undefined ? (
                <Waiting />
              ) : (
                <Value field={field} row={row} tableColumns={tableColumns} />
              )}
            </span>
          </div>
        ))}
      </div>
      {corner && <div className="tr-card-corner">{corner}</div>}
    </article>
  );
}

/** A placeholder for the text of a row that is loading. */
const Waiting = (): ReactNode => <span className="tr-card-waiting p-skeleton p-component" />;

interface OfField {
  readonly field: CardField;
  readonly row: RowData;
}

function Cover({
  field: { column, type },
  row,
  fit,
}: OfField & { readonly fit: CardLook['coverFit'] }): ReactNode {
  const value = (row.values[column.id] ?? null) as CellValue;
  if (value === null || value === '')
    return <i className="pi pi-image tr-card-cover-none" aria-hidden="true" />;
  if (type?.Cover === undefined) return null;
  return (
    <Contribution registry="columnTypes" id={type.id} compact>
      <type.Cover value={value} column={column} fit={fit} />
    </Contribution>
  );
}

function Value({
  field: { column, type },
  row,
  tableColumns,
}: OfField & { readonly tableColumns: readonly ColumnEntity[] }): ReactNode {
  const value = (row.values[column.id] ?? null) as CellValue;
  if (type?.Cell === undefined) return showCell(value, column, type);
  return (
    <Contribution registry="columnTypes" id={type.id} compact>
      <type.Cell
        value={value}
        row={titledRow(row.values, tableColumns)}
        rowKey={row.key}
        column={column}
        options={columnContext(column, type).options}
        selected={false}
      />
    </Contribution>
  );
}
