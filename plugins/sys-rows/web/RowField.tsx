import type { CellValue, ColumnEntity, Row } from '@trellis/sdk/shared';
import { columnContext, Contribution, showCell, useRegistryItem, useT } from '@trellis/sdk/web';
import type { ReactNode } from 'react';

/** The id of the element with a field's label. */
export function labelOf(column: ColumnEntity): string {
  return `field-${column.id}`;
}

interface RowFieldProps {
  readonly column: ColumnEntity;
  readonly isNeeded?: boolean;
  readonly children: ReactNode;
}

/** A field of a row: its label above its value. */
export function RowField({ column, isNeeded = false, children }: RowFieldProps) {
  const t = useT();
  const type = useRegistryItem('columnTypes', column.uidt);
  return (
    <div className="tr-field rows-field">
      <span className="rows-label" id={labelOf(column)}>
        <i className={`pi pi-${type?.icon ?? 'question-circle'}`} aria-hidden="true" />
        {column.title}
        {isNeeded && (
          <span className="rows-required" title={t('Required')} aria-label={t('Required')}>
            *
          </span>
        )}
      </span>
      {typeof column.description === 'string' && <small className="tr-note">{column.description}</small>}
      <Contribution registry="columnTypes" id={column.uidt} what={column.title} compact>
        {children}
      </Contribution>
    </div>
  );
}

interface StoredValueProps {
  readonly column: ColumnEntity;
  readonly row: Row;
  readonly value: CellValue;
  /** Why it is read-only. */
  readonly reason?: string | undefined;
}

/** A value that is not edited here, drawn by its type: hidden, coloured or as a link. */
export function StoredValue({ column, row, value, reason }: StoredValueProps) {
  const type = useRegistryItem('columnTypes', column.uidt);
  const text = showCell(value, column, type);
  const isPlain = type?.Cell === undefined || (text === '' && type.toggle === undefined);
  return (
    <div className="rows-value" title={reason}>
      {isPlain ? (
        text || '—'
      ) : (
        <type.Cell
          value={value}
          row={row}
          column={column}
          options={columnContext(column, type).options}
          selected
        />
      )}
    </div>
  );
}
