import { useT, type CellProps, type FieldProps } from '@trellis/sdk/web';
import type { CellValue, ColumnEntity, Row, RowKey } from '@trellis/sdk/shared';
import { useSyncExternalStore, type ComponentType } from 'react';
import { optionsOf, targetOf } from './press-button.ts';
import type { Presses } from './presses.ts';
import type { ButtonOptions } from '../shared/index.ts';

interface RowButtonProps {
  readonly presses: Presses;
  readonly column: ColumnEntity;
  readonly row: Row | undefined;
  readonly value: CellValue;
  /** Undefined if the row has no key yet, as in a preview. */
  readonly rowKey: RowKey | undefined;
  /** False in cells, where the grid moves the focus itself. */
  readonly isTabStop: boolean;
}

function RowButton({ presses, column, row, value, rowKey, isTabStop }: RowButtonProps) {
  const t = useT();
  const isBusy = useSyncExternalStore(
    presses.subscribe,
    () => rowKey !== undefined && presses.isUnderWay(column.id, rowKey),
  );
  const { action, label, color, icon } = optionsOf(column);
  const { error } = (column.colOptions ?? {}) as { readonly error?: string | null };
  const isLink = action === 'link';
  const target = isLink ? targetOf(value) : undefined;
  const isReady = isLink ? target !== undefined : rowKey !== undefined && row !== undefined;
  const reason =
    isLink && target === undefined ? (error ?? t('This row has no link that can be opened.')) : undefined;
  return (
    <button
      type="button"
      className={`cf-button cf-button--${color}`}
      tabIndex={isTabStop ? 0 : -1}
      title={reason ?? target}
      disabled={!isReady}
      // Not disabled, because that would lose the focus. A press must not reach the card around the button.
      aria-disabled={isBusy}
      aria-busy={isBusy}
      onPointerDown={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onClick={(event) => {
        event.stopPropagation();
        if (!isBusy) void presses.press({ column, rowKey: rowKey ?? '', row: row ?? {} });
      }}
    >
      {icon !== '' && <i className={`pi pi-${icon}`} aria-hidden="true" />}
      <span>{label || column.title}</span>
    </button>
  );
}

export function createButtonCell(presses: Presses): ComponentType<CellProps<string, ButtonOptions>> {
  return function ButtonCell({ value, row, rowKey, column }) {
    return (
      <RowButton
        presses={presses}
        column={column}
        row={row}
        value={value}
        rowKey={rowKey}
        isTabStop={false}
      />
    );
  };
}

export function createButtonField(presses: Presses): ComponentType<FieldProps> {
  return function ButtonField({ value, row, rowKey, column }) {
    return <RowButton presses={presses} column={column} row={row} value={value} rowKey={rowKey} isTabStop />;
  };
}
