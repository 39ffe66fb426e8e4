import { useRegistry, useRegistryItem, useT, type ViewProps } from '@trellis/sdk/web';
import {
  matchesSearch,
  moved,
  orderAt,
  PopoverButton,
  SearchField,
  Switch,
  useSortable,
} from '@trellis/sdk/web/ui';
import { useViewColumns, type ViewColumn } from '@trellis/sdk/web/views';
import { useState } from 'react';
import { ColumnOptions } from './ColumnOptions.tsx';
import { itemPath, lockReason, settingsReason, useViewCalls, viewPath } from './use-view-calls.ts';
import { useShownEarly } from './use-shown-early.ts';

const none: readonly ViewColumn[] = [];

export function FieldsButton(props: ViewProps) {
  const t = useT();
  const { columns = none } = useViewColumns(props);
  const hidden = columns.filter(({ column, inView }) => !inView.show && !column.system).length;
  return (
    <PopoverButton icon="eye-slash" label={t('Fields')} count={hidden}>
      {() => <FieldsPanel {...props} fields={columns} />}
    </PopoverButton>
  );
}

function FieldsPanel(props: ViewProps & { readonly fields: readonly ViewColumn[] }) {
  const t = useT();
  const { view } = props;
  const { shown: fields, showEarly, takeBack } = useShownEarly(props.fields);
  const { send } = useViewCalls(view);
  const types = useRegistry('columnTypes');
  const [search, setSearch] = useState('');
  const [withSystem, setWithSystem] = useState(false);
  const type = useRegistryItem('viewTypes', view.view_type);
  const [edited, setEdited] = useState<string>();
  const locked = lockReason(props);
  const hasOptions = type?.columnOptions !== undefined || type?.ColumnSettingsPanel !== undefined;
  const canSetOptions = hasOptions && settingsReason(props) === undefined;
  const shown = fields
    .filter(({ column, inView }) => withSystem || !column.system || inView.show)
    .filter(({ column }) => matchesSearch(column.title, search.trim()));

  function patch(
    next: readonly ViewColumn[],
    changed: readonly ViewColumn[],
    body: (field: ViewColumn) => object,
  ) {
    showEarly(next);
    for (const field of changed) {
      void send(
        { method: 'PATCH', path: itemPath('grid-columns', field.inView.id), body: body(field) },
        takeBack,
      );
    }
  }

  function show(field: ViewColumn, isShown: boolean) {
    const changed = { ...field, inView: { ...field.inView, show: isShown } };
    patch(
      fields.map((each) => (each === field ? changed : each)),
      [changed],
      () => ({ show: isShown }),
    );
  }

  /** Moves one of the fields in sight to the place of another; those out of sight keep theirs. */
  function move(from: number, to: number) {
    const start = fields.findIndex((field) => field === shown[from]);
    const end = fields.findIndex((field) => field === shown[to]);
    const next = moved(fields, start, end);
    const others = fields.toSpliced(start, 1).map((field) => field.inView.order);
    const order = orderAt(others, end);
    const renumbered = next.map((field, index) => ({
      ...field,
      inView: {
        ...field.inView,
        order: order === undefined ? index + 1 : index === end ? order : field.inView.order,
      },
    }));
    patch(
      renumbered,
      renumbered.filter((field, index) => field.inView.order !== next[index]?.inView.order),
      (field) => ({ order: field.inView.order }),
    );
  }

  const sortable = useSortable(shown.length, move);

  const open = fields.find(({ inView }) => inView.id === edited);
  if (open !== undefined && canSetOptions)
    return <ColumnOptions {...props} of={open} onClose={() => setEdited(undefined)} />;

  return (
    <div className="views-list">
      {locked && <p className="tr-note">{t(locked)}</p>}
      {fields.length > 7 && <SearchField label={t('Search fields')} value={search} onChange={setSearch} />}
      <ul className="views-fields">
        {shown.map((field, index) => (
          <li key={field.inView.id} {...(locked === undefined && sortable.row(index))}>
            <Switch
              checked={field.inView.show}
              disabled={locked !== undefined || field.column.pv}
              onChange={(isShown) => show(field, isShown)}
            >
              <i
                className={`pi pi-${types.find((type) => type.id === field.column.uidt)?.icon ?? 'question-circle'}`}
                aria-hidden="true"
              />
              <span>{field.column.title}</span>
            </Switch>
            {canSetOptions && (
              <button
                type="button"
                className="tr-icon-button tr-icon-button--small"
                aria-label={t('Options of {{field}}', { field: field.column.title })}
                onClick={() => setEdited(field.inView.id)}
              >
                <i className="pi pi-cog" aria-hidden="true" />
              </button>
            )}
            {locked === undefined && (
              <button
                type="button"
                className="tr-grip"
                {...sortable.handle(index)}
                aria-label={t('Move {{field}}: arrow up or down', { field: field.column.title })}
              >
                <i className="pi pi-bars" aria-hidden="true" />
              </button>
            )}
          </li>
        ))}
      </ul>
      <div className="views-actions">
        <button
          type="button"
          className="tr-action"
          disabled={locked !== undefined}
          onClick={() => void send({ method: 'POST', path: viewPath(view, '/show-all') })}
        >
          {t('Show all')}
        </button>
        <button
          type="button"
          className="tr-action"
          disabled={locked !== undefined}
          onClick={() =>
            void send({
              method: 'POST',
              path: viewPath(view, '/hide-all'),
              query: { 'ignoreIds[]': fields.find(({ column }) => column.pv)?.column.id },
            })
          }
        >
          {t('Hide all')}
        </button>
        <span className="tr-gap" />
        <Switch checked={withSystem} onChange={setWithSystem}>
          {t('System fields')}
        </Switch>
      </div>
    </div>
  );
}
