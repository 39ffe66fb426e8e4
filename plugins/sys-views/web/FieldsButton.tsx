import type { ColumnEntity, ViewColumnEntity } from '@trellis/sdk/shared';
import { useRegistry, useServerData, useT, type ViewProps } from '@trellis/sdk/web';
import { useState } from 'react';
import { itemPath, lockReason, useViewCalls, viewPath } from './use-view-calls.ts';
import { ToolbarButton } from './ToolbarButton.tsx';

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
  const columns = new Map((table.columns ?? []).map((column) => [column.id, column]));
  const fields = (data ?? [])
    .toSorted((a, b) => a.order - b.order)
    .flatMap((inView): readonly Field[] => {
      const column = columns.get(inView.fk_column_id);
      return column ? [{ column, inView }] : [];
    });
  const hidden = fields.filter(({ column, inView }) => !inView.show && !column.system).length;
  return (
    <ToolbarButton icon="eye-slash" label={t('Fields')} count={hidden}>
      {() => <FieldsPanel {...props} fields={fields} />}
    </ToolbarButton>
  );
}

function FieldsPanel(props: ViewProps & { readonly fields: readonly Field[] }) {
  const t = useT();
  const { view, fields } = props;
  const { send } = useViewCalls(view);
  const types = useRegistry('columnTypes');
  const [search, setSearch] = useState('');
  const [withSystem, setWithSystem] = useState(false);
  const [dragged, setDragged] = useState<string>();
  const locked = lockReason(props);
  const shown = fields
    .filter(({ column, inView }) => withSystem || !column.system || inView.show)
    .filter(({ column }) => column.title.toLowerCase().includes(search.trim().toLowerCase()));

  function change({ inView }: Field, body: object) {
    void send({ method: 'PATCH', path: itemPath('grid-columns', inView.id), body });
  }

  /** Puts the dragged field before another one: half-way between it and the one above. */
  function moveBefore(target: Field) {
    const moved = fields.find((field) => field.inView.id === dragged);
    setDragged(undefined);
    if (moved === undefined || moved === target) return;
    const above = fields[fields.indexOf(target) - 1]?.inView.order ?? target.inView.order - 1;
    change(moved, { order: (above + target.inView.order) / 2 });
  }

  return (
    <div className="views-list">
      {locked && <p className="views-note">{t(locked)}</p>}
      {fields.length > 7 && (
        <input
          className="views-input views-input--full"
          type="search"
          value={search}
          placeholder={t('Search fields')}
          aria-label={t('Search fields')}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <ul className="views-fields">
        {shown.map((field) => (
          <li
            key={field.inView.id}
            draggable={locked === undefined}
            onDragStart={() => setDragged(field.inView.id)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => moveBefore(field)}
          >
            <label>
              <input
                type="checkbox"
                role="switch"
                className="views-switch"
                checked={field.inView.show}
                disabled={locked !== undefined || field.column.pv}
                onChange={(event) => change(field, { show: event.target.checked })}
              />
              <i
                className={`pi pi-${types.find((type) => type.id === field.column.uidt)?.icon ?? 'question-circle'}`}
                aria-hidden="true"
              />
              <span>{field.column.title}</span>
            </label>
            {locked === undefined && <i className="pi pi-bars views-grip" aria-hidden="true" />}
          </li>
        ))}
      </ul>
      <div className="views-actions">
        <button
          type="button"
          className="views-add"
          disabled={locked !== undefined}
          onClick={() => void send({ method: 'POST', path: viewPath(view, '/show-all') })}
        >
          {t('Show all')}
        </button>
        <button
          type="button"
          className="views-add"
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
        <label className="views-check">
          <input
            type="checkbox"
            checked={withSystem}
            onChange={(event) => setWithSystem(event.target.checked)}
          />
          {t('System fields')}
        </label>
      </div>
    </div>
  );
}
