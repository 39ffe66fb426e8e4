import type { ColumnEntity } from '@trellis/sdk/shared';
import { useHost, useRegistry, type TableDialogs } from '@trellis/sdk/web';
import { useState, type CSSProperties, type FormEvent, type KeyboardEvent } from 'react';
import { createPortal } from 'react-dom';
import { freeName, nameProblem } from './names.ts';
import { TypePicker } from './TypePicker.tsx';
import { useSaveColumn } from './use-save-column.ts';

type ColumnPanelProps = Parameters<TableDialogs['openColumnPanel']>[0] & { readonly onClose: () => void };

const panelWidth = 340;

/** Adds or edits a column; it opens under the header that it belongs to, and as a sheet on a phone. */
export default function ColumnPanel({
  table,
  column,
  anchor,
  beforeColumnId,
  view,
  onClose,
}: ColumnPanelProps) {
  const { t, Boundary, registry } = useHost();
  const types = useRegistry('columnTypes');
  const creatable = types.filter((type) => type.creatable !== false);
  const others = (table.columns ?? []).filter((of) => of.id !== column?.id);
  const [title, setTitle] = useState(column?.title ?? '');
  const [typeId, setTypeId] = useState(column?.uidt ?? 'SingleLineText');
  const [options, setOptions] = useState<Readonly<Record<string, unknown>>>(column?.meta ?? {});
  const [isRequired, setRequired] = useState(column?.rqd ?? false);
  const [defaultValue, setDefaultValue] = useState(column?.cdf ?? '');
  const [isShowingMore, setShowingMore] = useState(Boolean(column?.rqd) || Boolean(column?.cdf));
  const [problem, setProblem] = useState<string>();
  const { save, remove, isSaving } = useSaveColumn({
    table,
    column,
    view,
    beforeColumnId,
    onProblem: setProblem,
    onDone: onClose,
  });
  const place = usePlace(anchor);
  const type = types.find((of) => of.id === typeId);
  const isOff = column !== undefined && types.every((of) => of.id !== column.uidt);
  const canRetype = column === undefined || (!column.pk && !isOff);

  function submit(event: FormEvent) {
    event.preventDefault();
    const name =
      title.trim() === '' && column === undefined
        ? freeName(
            t(type?.label ?? 'Column'),
            others.map((of) => of.title),
          )
        : title;
    const wrong = nameProblem(
      'Column',
      name,
      others.map((of) => of.title),
    );
    if (wrong !== undefined) return setProblem(t(wrong.text, wrong.values));
    void save(bodyOf({ name, typeId, options, isRequired, defaultValue, column, isOff }));
  }

  return createPortal(
    <div className="tables-panel-layer">
      <div className="tables-panel-mask" role="presentation" onPointerDown={onClose} />
      <form
        className="tables-panel"
        style={place}
        role="dialog"
        aria-modal="true"
        aria-label={column ? t('Edit column {{title}}', { title: column.title }) : t('Add column')}
        onSubmit={submit}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          else if (event.key === 'Tab') keepFocusInside(event);
        }}
      >
        <label className="tr-field">
          <span>{t('Name')}</span>
          <input
            className="p-inputtext p-component"
            value={title}
            placeholder={type && t(type.label)}
            autoFocus
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => {
              setTitle(event.target.value);
              setProblem(undefined);
            }}
          />
        </label>
        {canRetype && (
          <div className="tr-field">
            <span>{t('Type')}</span>
            <TypePicker
              types={creatable}
              value={typeId}
              onChange={(next) => {
                setTypeId(next.id);
                setOptions(next.id === column?.uidt ? (column.meta ?? {}) : {});
                setProblem(undefined);
              }}
            />
          </div>
        )}
        {isOff && (
          <p className="tables-banner">
            {t("The plugin of the type '{{type}}' is switched off. The column can be renamed or deleted.", {
              type: column.uidt,
            })}
          </p>
        )}
        {canRetype && type?.OptionsPanel && (
          <Boundary owner={registry('columnTypes').ownerOf(type.id) ?? type.id} what={type.label}>
            <type.OptionsPanel options={{ ...type.options?.defaults, ...options }} onChange={setOptions} />
          </Boundary>
        )}
        {canRetype && !isShowingMore && (
          <button type="button" className="tables-link" onClick={() => setShowingMore(true)}>
            {t('More options')}
          </button>
        )}
        {canRetype && isShowingMore && (
          <>
            <label className="tables-check">
              <input
                type="checkbox"
                checked={isRequired}
                onChange={(event) => setRequired(event.target.checked)}
              />
              <span>{t('Required')}</span>
            </label>
            {type?.storage !== 'json' && (
              <label className="tr-field">
                <span>{t('Default value')}</span>
                <input
                  className="p-inputtext p-component"
                  value={defaultValue}
                  onChange={(event) => setDefaultValue(event.target.value)}
                />
              </label>
            )}
          </>
        )}
        {problem !== undefined && (
          <p className="tables-problem" role="alert">
            {problem}
          </p>
        )}
        <div className="tables-actions">
          {column && !column.pk && (
            <button
              type="button"
              className="tables-link tables-link--danger"
              disabled={isSaving}
              onClick={() => void remove()}
            >
              {t('Delete column')}
            </button>
          )}
          <span className="tables-toolbar-gap" />
          <button type="button" className="tr-button" onClick={onClose} disabled={isSaving}>
            {t('Cancel')}
          </button>
          <button type="submit" className="tr-button tr-button--primary" disabled={isSaving}>
            {isSaving ? t('Saving …') : column ? t('Save') : t('Add column')}
          </button>
        </div>
      </form>
    </div>,
    document.body,
  );
}

/** Under the anchor and inside the window; a phone shows the panel as a sheet, by its style sheet alone. */
function usePlace(anchor: HTMLElement | undefined): CSSProperties {
  const [place] = useState<CSSProperties>(() => {
    const rect = anchor?.getBoundingClientRect();
    const wished = rect?.left ?? (window.innerWidth - panelWidth) / 2;
    const top = Math.max(8, Math.min((rect?.bottom ?? 120) + 4, window.innerHeight - 420));
    return {
      left: Math.max(8, Math.min(wished, window.innerWidth - panelWidth - 8)),
      top,
      maxHeight: `calc(100vh - ${top + 8}px)`,
    };
  });
  return place;
}

/** Tab goes round in the panel: what lies behind it cannot be used while it is open. */
function keepFocusInside(event: KeyboardEvent<HTMLFormElement>) {
  const stops = Array.from(
    event.currentTarget.querySelectorAll<HTMLElement>('input, button, select, textarea, [tabindex="0"]'),
  ).filter((stop) => !stop.matches(':disabled'));
  const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (document.activeElement !== from) return;
  event.preventDefault();
  to?.focus();
}

/** What is sent: a new column whole, of an old one only what may change. */
function bodyOf(form: {
  readonly name: string;
  readonly typeId: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly isRequired: boolean;
  readonly defaultValue: string;
  readonly column: ColumnEntity | undefined;
  readonly isOff: boolean;
}): Readonly<Record<string, unknown>> {
  const title = form.name.trim();
  if (form.isOff || form.column?.pk === true) return { title };
  return {
    title,
    uidt: form.typeId,
    rqd: form.isRequired,
    ...(form.defaultValue !== (form.column?.cdf ?? '') && { cdf: form.defaultValue }),
    ...(Object.keys(form.options).length > 0 && { meta: form.options }),
  };
}
