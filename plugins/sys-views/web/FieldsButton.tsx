import type { ColumnEntity, ViewColumnEntity } from '@trellis/sdk/shared';
import { useRegistry, useServerData, useT, type ViewProps } from '@trellis/sdk/web';
import {
  matchesSearch,
  moved,
  orderAt,
  PopoverButton,
  SearchField,
  Switch,
  useSortable,
} from '@trellis/sdk/web/ui';
import { useMemo, useState } from 'react';
import { itemPath, lockReason, useViewCalls, viewPath } from './use-view-calls.ts';
import { useShownEarly } from './use-shown-early.ts';

interface Field {
  readonly column: ColumnEntity;
  readonly inView: ViewColumnEntity;
}

export function FieldsButton(props: ViewProps) {
  const t = useT();
  const { view, table } = props;
  const { data } = useServerData<readonly ViewColumnEntity[]>(
    { path: `/api/v1/db/meta/grids/${encodeURIComponent(view.id)}/grid-columns` },
    { tags: [`view:${view.id}`] },
  );
  const fields = useMemo(() => fieldsOf(table.columns ?? [], data ?? []), [table.columns, data]);
  const hidden = fields.filter(({ column, inView }) => !inView.show && !column.system).length;
  return (
    <PopoverButton icon="eye-slash" label={t('Fields')} count={hidden}>
      {() => <FieldsPanel {...props} fields={fields} />}
    </PopoverButton>
  );
}

function fieldsOf(columns: readonly ColumnEntity[], inView: readonly ViewColumnEntity[]): readonly Field[] {
  const byId = new Map(columns.map((column) => [column.id, column]));
  return inView
    .toSorted((a, b) => a.order - b.order)
    .flatMap((each): readonly Field[] => {
      const column = byId.get(each.fk_column_id);
      return column ? [{ column, inView: each }] : [];
    });
}

function FieldsPanel(props: ViewProps & { readonly fields: readonly Field[] }) {
  const t = useT();
  const { view } = props;
  const { shown: fields, showEarly, takeBack } = useShownEarly(props.fields);
  const { send } = useViewCalls(view);
  const types = useRegistry('columnTypes');
  const [search, setSearch] = useState('');
  const [withSystem, setWithSystem] = useState(false);
  const locked = lockReason(props);
  const shown = fields
    .filter(({ column, inView }) => withSystem || !column.system || inView.show)
    .filter(({ column }) => matchesSearch(column.title, search.trim()));

  function patch(next: readonly Field[], changed: readonly Field[], body: (field: Field) => object) {
    showEarly(next);
    for (const field of changed) {
      void send(
        { method: 'PATCH', path: itemPath('grid-columns', field.inView.id), body: body(field) },
        takeBack,
      );
    }
  }

  function show(field: Field, isShown: boolean) {
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
