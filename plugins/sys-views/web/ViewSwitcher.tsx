import type { ViewEntity } from '@trellis/sdk/shared';
import { useHost, useRegistry, useT, type ViewProps } from '@trellis/sdk/web';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useViewCalls, viewPath } from './use-view-calls.ts';
import { ToolbarButton } from './ToolbarButton.tsx';

const lockIcons = { collaborative: 'users', locked: 'lock', personal: 'user' } as const;

/** The name of the view, the other views of the table, and what can be done with this one. */
export function ViewSwitcher(props: ViewProps) {
  const { view } = props;
  const types = useRegistry('viewTypes');
  const icon = types.find((type) => type.number === view.type)?.icon ?? 'table';
  return (
    <ToolbarButton icon={view.lock_type === 'locked' ? 'lock' : icon} label={view.title}>
      {(close) => <ViewsPanel {...props} onClose={close} />}
    </ToolbarButton>
  );
}

function ViewsPanel(props: ViewProps & { readonly onClose: () => void }) {
  const host = useHost();
  const t = useT();
  const { project, table, view, onClose } = props;
  const { send } = useViewCalls(view);
  const types = useRegistry('viewTypes');
  const [, setSearch] = useSearchParams();
  const [title, setTitle] = useState(view.title);
  const views = (table.views ?? []).toSorted((a, b) => a.order - b.order);
  const isManager = project.role === 'owner' || project.role === 'creator';

  function show(of: ViewEntity) {
    setSearch((search) => {
      search.set('view', of.id);
      return search;
    });
  }

  function refreshTable() {
    host.invalidate([`table:${table.id}`]);
  }

  async function create(copyFrom?: ViewEntity) {
    const taken = new Set(views.map((of) => of.title));
    const base = copyFrom ? t('{{title}} copy', { title: copyFrom.title }) : t('Grid');
    let name = base;
    for (let count = 2; taken.has(name); count += 1) name = `${base} ${count}`;
    const made = await send<ViewEntity>({
      method: 'POST',
      path: `/api/v1/db/meta/tables/${encodeURIComponent(table.id)}/grids`,
      body: { title: name, ...(copyFrom && { copy_from_id: copyFrom.id }) },
    });
    refreshTable();
    if (made === undefined) return;
    show(made);
    onClose();
    host.toast({ severity: 'success', summary: t('View created'), life: 2000 });
  }

  async function patch(body: object, success?: string) {
    const done = await send<ViewEntity>({ method: 'PATCH', path: viewPath(view), body });
    refreshTable();
    if (done && success) host.toast({ severity: 'success', summary: success, life: 2000 });
  }

  async function remove() {
    const agreed = await host.confirm({
      title: t('Delete view {{title}}?', { title: view.title }),
      message: t('Its sorts, filters and field order go with it. No row is deleted.'),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (!agreed) return;
    await send({ method: 'DELETE', path: viewPath(view) });
    refreshTable();
    onClose();
  }

  return (
    <div className="views-list">
      <ul className="views-views">
        {views.map((of) => (
          <li key={of.id}>
            <button
              type="button"
              aria-current={of.id === view.id ? 'true' : undefined}
              onClick={() => {
                show(of);
                onClose();
              }}
            >
              <i
                className={`pi pi-${types.find((type) => type.number === of.type)?.icon ?? 'table'}`}
                aria-hidden="true"
              />
              <span>{of.title}</span>
              {of.lock_type !== 'collaborative' && (
                <i className={`pi pi-${lockIcons[of.lock_type]}`} aria-label={t(of.lock_type)} />
              )}
            </button>
          </li>
        ))}
      </ul>
      {isManager && (
        <>
          <div className="views-actions">
            <button type="button" className="views-add" onClick={() => void create()}>
              <i className="pi pi-plus" aria-hidden="true" /> {t('New grid')}
            </button>
            <button type="button" className="views-add" onClick={() => void create(view)}>
              <i className="pi pi-copy" aria-hidden="true" /> {t('Duplicate')}
            </button>
            {views.length > 1 && (
              <button type="button" className="views-add views-add--danger" onClick={() => void remove()}>
                <i className="pi pi-trash" aria-hidden="true" /> {t('Delete')}
              </button>
            )}
          </div>
          <form
            className="views-row"
            onSubmit={(event) => {
              event.preventDefault();
              if (title.trim() !== '' && title !== view.title) void patch({ title: title.trim() });
            }}
          >
            <input
              className="views-input views-input--full"
              value={title}
              aria-label={t('View name')}
              onChange={(event) => setTitle(event.target.value)}
            />
            <button
              type="submit"
              className="tr-button"
              disabled={title.trim() === '' || title === view.title}
            >
              {t('Rename')}
            </button>
          </form>
          <div className="views-modes" role="radiogroup" aria-label={t('Who may change this view')}>
            {(['collaborative', 'locked', 'personal'] as const).map((mode) => (
              <button
                key={mode}
                type="button"
                role="radio"
                aria-checked={view.lock_type === mode}
                onClick={() =>
                  void patch({ lock_type: mode }, t('This is a {{mode}} view now', { mode: t(mode) }))
                }
              >
                <i className={`pi pi-${lockIcons[mode]}`} aria-hidden="true" /> {t(mode)}
              </button>
            ))}
          </div>
        </>
      )}
    </div>
  );
}
