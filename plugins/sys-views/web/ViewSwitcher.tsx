import type { ViewEntity } from '@trellis/sdk/shared';
import { useHost, useMenuActions, useRegistry, useT, type ViewProps, hasPermission } from '@trellis/sdk/web';
import { Choices, Form, PopoverButton, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useViewCalls, viewPath } from './use-view-calls.ts';

/** Who may change how a view shows its table. */
const modes = [
  {
    value: 'collaborative',
    icon: 'users',
    label: 'Shared',
    title: 'Everybody who may edit can change how it shows the table.',
    done: 'This view is shared now',
  },
  {
    value: 'locked',
    icon: 'lock',
    label: 'Locked',
    title: 'Nobody can change how it shows the table until it is unlocked.',
    done: 'This view is locked now',
  },
  {
    value: 'personal',
    icon: 'user',
    label: 'Personal',
    title: 'Only its owner can change how it shows the table.',
    done: 'This view is personal now',
  },
] as const;

/** The name of the view, the other views of the table, and what can be done with this one. */
export function ViewSwitcher(props: ViewProps) {
  const { view } = props;
  const t = useT();
  const types = useRegistry('viewTypes');
  const icon = types.find((type) => type.id === view.view_type)?.icon ?? 'table';
  return (
    <PopoverButton icon={view.lock_type === 'locked' ? 'lock' : icon} label={view.title} heading={t('Views')}>
      {(close) => <ViewsPanel {...props} onClose={close} />}
    </PopoverButton>
  );
}

function ViewsPanel(props: ViewProps & { readonly onClose: () => void }) {
  const host = useHost();
  const t = useT();
  const { project, table, view, onClose } = props;
  const { send } = useViewCalls(view);
  const added = useMenuActions('view', { project, table, view });
  const types = useRegistry('viewTypes');
  const [, setSearch] = useSearchParams();
  const [title, setTitle] = useState(view.title);
  const [wanted, setWanted] = useState<NewView>();
  const views = (table.views ?? []).toSorted((a, b) => a.order - b.order);
  const may = (permission: string) => hasPermission(permission, project);
  const mayCreate = (type: string) => may(`${type}ViewCreate`);
  const creatable = types.filter(({ id, creatable }) => creatable !== false && mayCreate(id));

  function show(of: ViewEntity) {
    setSearch((search) => {
      search.set('view', of.id);
      return search;
    });
  }

  function refreshTable() {
    host.invalidate([`table:${table.id}`]);
  }

  /** A name for a new view that no other one has. */
  function freeTitle(base: string): string {
    const taken = new Set(views.map((of) => of.title));
    let name = base;
    for (let count = 2; taken.has(name); count += 1) name = `${base} ${count}`;
    return name;
  }

  async function create({ type, copyFrom }: NewView, name: string) {
    const made = await send<ViewEntity>({
      method: 'POST',
      path: `/api/v1/db/meta/tables/${encodeURIComponent(table.id)}/views`,
      body: { title: name, type, ...(copyFrom && { copy_from_id: copyFrom.id }) },
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

  if (wanted !== undefined)
    return (
      <NewViewForm
        title={wanted.title}
        onCreate={(name) => create(wanted, name)}
        onCancel={() => setWanted(undefined)}
      />
    );
  return (
    <div className="views-list">
      <ul className="views-views">
        {views.map((of) => (
          <li key={of.id}>
            <button
              type="button"
              className="tr-item"
              aria-current={of.id === view.id ? 'true' : undefined}
              onClick={() => {
                show(of);
                onClose();
              }}
            >
              <i
                className={`pi pi-${types.find((type) => type.id === of.view_type)?.icon ?? 'table'}`}
                aria-hidden="true"
              />
              <span>{of.title}</span>
              <ModeSign view={of} />
            </button>
          </li>
        ))}
      </ul>
      {(may('viewUpdate') || creatable.length > 0) && (
        <>
          <div className="views-actions">
            {creatable.map(({ id, label, icon }) => (
              <button
                key={id}
                type="button"
                className="tr-action"
                onClick={() => setWanted({ type: id, title: freeTitle(t(label)) })}
              >
                <i className={`pi pi-${icon}`} aria-hidden="true" />{' '}
                {t('New view: {{type}}', { type: t(label) })}
              </button>
            ))}
            {mayCreate(view.view_type) && (
              <button
                type="button"
                className="tr-action"
                onClick={() =>
                  setWanted({
                    type: view.view_type,
                    copyFrom: view,
                    title: freeTitle(t('{{title}} copy', { title: view.title })),
                  })
                }
              >
                <i className="pi pi-copy" aria-hidden="true" /> {t('Duplicate')}
              </button>
            )}
            {views.length > 1 && may('viewDelete') && (
              <button type="button" className="tr-action tr-action--danger" onClick={() => void remove()}>
                <i className="pi pi-trash" aria-hidden="true" /> {t('Delete')}
              </button>
            )}
          </div>
          {may('viewUpdate') && (
            <>
              <form
                className="views-row"
                onSubmit={(event) => {
                  event.preventDefault();
                  if (title.trim() !== '' && title !== view.title) void patch({ title: title.trim() });
                }}
              >
                <input
                  className="p-inputtext p-component"
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
              <Choices
                label={t('Who may change this view')}
                value={view.lock_type}
                options={modes.map(({ value, icon, label, title: meaning }) => ({
                  value,
                  icon,
                  label: t(label),
                  title: t(meaning),
                }))}
                onChange={(mode) =>
                  void patch({ lock_type: mode }, t(modes.find(({ value }) => value === mode)?.done ?? ''))
                }
              />
              <p className="tr-note">{t(modes.find(({ value }) => value === view.lock_type)?.title ?? '')}</p>
            </>
          )}
        </>
      )}
      {added.length > 0 && (
        <div className="views-actions">
          {added.map(({ id, icon, label, danger, run }) => (
            <button
              key={id}
              type="button"
              className={danger === true ? 'tr-action tr-action--danger' : 'tr-action'}
              onClick={() => {
                onClose();
                run();
              }}
            >
              <i className={`pi pi-${icon}`} aria-hidden="true" /> {label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** A view that is about to be made. */
interface NewView {
  readonly type: string;
  readonly title: string;
  readonly copyFrom?: ViewEntity;
}

/** Asks what a new view is called; Enter takes the name that is proposed. */
function NewViewForm(props: {
  readonly title: string;
  readonly onCreate: (title: string) => Promise<void>;
  readonly onCancel: () => void;
}) {
  const t = useT();
  const [title, setTitle] = useState(props.title);
  const [isBusy, setBusy] = useState(false);

  async function submit() {
    if (title.trim() === '') return;
    setBusy(true);
    await props.onCreate(title.trim());
    setBusy(false);
  }

  return (
    <Form
      submitLabel={t('Create view')}
      isBusy={isBusy}
      onSubmit={() => void submit()}
      onCancel={props.onCancel}
    >
      <TextField label={t('View name')} value={title} autoFocus selectOnFocus onChange={setTitle} />
    </Form>
  );
}

/** The sign of a view that not everybody may change. */
function ModeSign({ view }: { readonly view: ViewEntity }) {
  const t = useT();
  const mode = modes.find(({ value }) => value === view.lock_type);
  if (mode === undefined || mode.value === 'collaborative') return null;
  return <i className={`pi pi-${mode.icon}`} role="img" aria-label={t(mode.label)} title={t(mode.title)} />;
}
