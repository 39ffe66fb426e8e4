import { useRegistry, useT } from '@trellis/sdk/web';
import { Grip, moved, useSortable } from '@trellis/sdk/web/ui';
import type { ViewColumn } from '@trellis/sdk/web/views';
import type { FieldOptions } from '../shared/index.ts';

export interface FieldListProps {
  /** In the form's order. */
  readonly shown: readonly ViewColumn[];
  readonly hidden: readonly ViewColumn[];
  onOpen(this: void, columnId: string): void;
  /** Moves a field to a place in the form; undefined removes it from the form. */
  onPlace(this: void, field: ViewColumn, at: number | undefined): void;
}

/**
 * The form's fields and, below a line, the available ones. They are one list, so that a field can be moved across the line by
 * mouse, finger or arrow keys.
 */
export function FieldList({ shown, hidden, onOpen, onPlace }: FieldListProps) {
  const t = useT();
  const types = useRegistry('columnTypes');
  const list: readonly (ViewColumn | undefined)[] = [...shown, undefined, ...hidden];
  const sortable = useSortable(list.length, (from, to) => {
    const field = list[from];
    if (field === undefined) return;
    const next = moved(list, from, to);
    onPlace(field, to < next.indexOf(undefined) ? to : undefined);
  });
  return (
    <ul className="form-fields" aria-label={t('Fields of the form')}>
      {list.map((field, index) => {
        if (field === undefined)
          return (
            <li key="line" className="form-fields-line" {...sortable.row(index)}>
              {t('Not in the form')}
              {hidden.length === 0 && <small>{t('Drag a field below this line to take it out.')}</small>}
            </li>
          );
        const { column, options } = field;
        const name = String(options.label) || column.title;
        const isShown = index < shown.length;
        const { icon = 'question-circle' } = types.find(({ id }) => id === column.uidt) ?? {};
        const called = (
          <>
            <i className={`pi pi-${icon}`} aria-hidden="true" /> {name}
          </>
        );
        return (
          <li key={column.id} data-shown={isShown} {...sortable.row(index)}>
            <Grip
              label={t('Move {{field}}: arrow up or down', { field: name })}
              handle={sortable.handle(index)}
            />
            {isShown ? (
              <button type="button" className="form-fields-name" onClick={() => onOpen(column.id)}>
                {called}
              </button>
            ) : (
              <span className="form-fields-name">{called}</span>
            )}
            {isShown && <Marks options={options as FieldOptions} />}
            <button
              type="button"
              className="tr-icon-button tr-icon-button--small"
              aria-label={
                isShown
                  ? t('Take {{field}} out of the form', { field: name })
                  : t('Add {{field}} to the form', { field: name })
              }
              onClick={() => onPlace(field, isShown ? undefined : shown.length)}
            >
              <i className={`pi pi-${isShown ? 'eye-slash' : 'plus'}`} aria-hidden="true" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** A field's requirements, as far as they are shown before it is opened. */
function Marks({ options }: { readonly options: FieldOptions }) {
  const t = useT();
  const marks = [
    { icon: 'asterisk', label: t('Required'), is: options.required },
    { icon: 'filter', label: t('Shown under a condition'), is: options.condition.length > 0 },
    { icon: 'file', label: t('Begins a page'), is: options.startsPage },
    { icon: 'lock', label: t('For owners and creators alone'), is: options.creatorsOnly },
    { icon: 'link', label: t('Hidden: filled in by the address'), is: options.hidden },
  ].filter(({ is }) => is);
  return marks.map(({ icon, label }) => (
    <i key={icon} className={`pi pi-${icon} form-fields-mark`} role="img" aria-label={label} title={label} />
  ));
}
