import type { ColumnEntity, RowKey } from '@trellis/sdk/shared';
import { ApiError, useHost, useRegistry, type RowContext } from '@trellis/sdk/web';
import { useEffect, useRef } from 'react';
import { FieldEditor } from './FieldEditor.tsx';
import type { RowRequest } from './panel-requests.ts';
import { rowPath, useRow } from './use-row.ts';

interface RowPanelProps {
  readonly request: RowRequest;
  readonly onMove: (rowKey: RowKey) => void;
  readonly onClose: () => void;
}

/** A row with all its fields, at the side; a phone shows it over the whole page. */
export default function RowPanel({ request, onMove, onClose }: RowPanelProps) {
  const host = useHost();
  const { t } = host;
  const { project, table, view, rowKey, neighbour } = request;
  const { row, error, isLoading, edits, isDirty, problem, isSaving, edit, discard, save } = useRow(request);
  const actions = useRegistry('cellActions');
  const box = useRef<HTMLElement>(null);
  const columns = (table.columns ?? []).filter((column) => column.virtual !== true);
  const isReadOnly =
    table.readOnlyReason !== undefined || project.role === 'viewer' || project.role === 'commenter';
  const shown = { ...row, ...edits };
  const title = titleOf(columns, shown) ?? t('Row {{key}}', { key: rowKey });

  useEffect(() => box.current?.focus(), []);

  /** Leaves the row, after asking what to do with edits that are not saved. */
  async function leave(go: () => void) {
    if (isDirty) {
      const discards = await host.confirm({
        title: t('Throw the changes away?'),
        message: t('This row has changes that are not saved.'),
        confirmLabel: t('Throw away'),
        danger: true,
      });
      if (!discards) return;
    }
    go();
  }

  function step(by: 1 | -1) {
    const next = neighbour?.(rowKey, by);
    if (next !== undefined) void leave(() => onMove(next));
  }

  async function remove() {
    try {
      const { headers } = await host.api.send({ method: 'DELETE', path: rowPath(request) });
      const operation = headers['x-trellis-operation'];
      onClose();
      host.toast({
        severity: 'success',
        summary: t('Row deleted'),
        life: 8000,
        ...(operation !== undefined && { action: { label: t('Undo'), run: () => void undo(operation) } }),
      });
    } catch (failure) {
      tell(failure);
    }
  }

  async function undo(operation: string) {
    const path = `/api/v1/db/data/operations/${encodeURIComponent(project.id)}/${encodeURIComponent(operation)}/undo`;
    try {
      await host.api.request({ method: 'POST', path });
    } catch (failure) {
      tell(failure);
    }
  }

  function tell(failure: unknown) {
    host.toast({
      severity: 'error',
      summary: t('The row could not be changed'),
      detail: failure instanceof ApiError ? failure.message : t('Some internal error occurred'),
      life: 6000,
    });
  }

  const context: RowContext | undefined = row && { project, table, view, rowKey, row };
  return (
    <aside
      ref={box}
      className="rows-panel"
      role="dialog"
      aria-label={title}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') void leave(onClose);
        if (event.key === 's' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          if (isDirty) void save();
        }
      }}
    >
      <header>
        <h2 title={title}>{title}</h2>
        <button
          type="button"
          className="tr-icon-button"
          aria-label={t('Previous row')}
          disabled={neighbour?.(rowKey, -1) === undefined}
          onClick={() => step(-1)}
        >
          <i className="pi pi-angle-up" aria-hidden="true" />
        </button>
        <button
          type="button"
          className="tr-icon-button"
          aria-label={t('Next row')}
          disabled={neighbour?.(rowKey, 1) === undefined}
          onClick={() => step(1)}
        >
          <i className="pi pi-angle-down" aria-hidden="true" />
        </button>
        <button
          type="button"
          className="tr-icon-button"
          aria-label={t('Close')}
          onClick={() => void leave(onClose)}
        >
          <i className="pi pi-times" aria-hidden="true" />
        </button>
      </header>
      <div className="rows-fields">
        {isLoading && <div className="tr-skeleton tr-skeleton--form" aria-busy="true" />}
        {error && (
          <p className="rows-banner" role="alert">
            {error.status === 404 ? t('This row is gone.') : error.message}
          </p>
        )}
        {row &&
          columns.map((column) => (
            <FieldEditor
              key={column.id}
              column={column}
              row={shown}
              value={shown[column.title] ?? null}
              isReadOnly={isReadOnly}
              onChange={(value) => edit(column.title, value)}
            />
          ))}
      </div>
      {problem !== undefined && (
        <p className="rows-banner" role="alert">
          {problem}
        </p>
      )}
      <footer>
        {!isReadOnly && row && (
          <button
            type="button"
            className="tr-icon-button"
            aria-label={t('Delete row')}
            onClick={() => void remove()}
          >
            <i className="pi pi-trash" aria-hidden="true" />
          </button>
        )}
        {context &&
          actions
            .filter((action) => action.when?.(context) ?? true)
            .map((action) => (
              <button
                key={action.id}
                type="button"
                className="tr-button"
                onClick={() => void action.run(context)}
              >
                {action.label}
              </button>
            ))}
        <span className="rows-gap" />
        {isDirty && (
          <>
            <button type="button" className="tr-button" disabled={isSaving} onClick={discard}>
              {t('Discard')}
            </button>
            <button
              type="button"
              className="tr-button tr-button--primary"
              disabled={isSaving}
              onClick={() => void save()}
            >
              {isSaving ? t('Saving …') : t('Save')}
            </button>
          </>
        )}
      </footer>
    </aside>
  );
}

function titleOf(
  columns: readonly ColumnEntity[],
  row: Readonly<Record<string, unknown>>,
): string | undefined {
  const value = row[columns.find((column) => column.pv)?.title ?? ''];
  return typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined;
}
