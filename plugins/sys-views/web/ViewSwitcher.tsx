import type { ViewEntity } from '@trellis/sdk/shared';
import { useMenuActions, useRegistry, useT, type ViewProps } from '@trellis/sdk/web';
import { Choices, pageLanguage, PopoverButton, SearchField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { foundViews, searchedFrom } from './found-views.ts';
import { ModeSign } from './ModeSign.tsx';
import { NewViewForm } from './NewViewForm.tsx';
import { useViewActions, type NewView, type ViewActions } from './use-view-actions.ts';
import { modeOf, viewModes } from './view-modes.ts';

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

function ViewsPanel({ project, table, view, onClose }: ViewProps & { readonly onClose: () => void }) {
  const types = useRegistry('viewTypes');
  const added = useMenuActions('view', { project, table, view });
  const [wanted, setWanted] = useState<NewView>();
  const views = (table.views ?? []).toSorted((a, b) => a.order - b.order);
  const actions = useViewActions(project, table, views);
  const t = useT();
  const [search, setSearch] = useState('');
  const found = foundViews(views, search);

  if (wanted !== undefined)
    return (
      <NewViewForm
        title={wanted.title}
        onCreate={async (title) => {
          if ((await actions.create({ ...wanted, title })) !== undefined) onClose();
        }}
        onCancel={() => setWanted(undefined)}
      />
    );
  return (
    <div className="views-list">
      {views.length >= searchedFrom && (
        <SearchField label={t('Search the views')} value={search} onChange={setSearch} />
      )}
      {found.length === 0 && <p className="tr-note">{t('No view is called or described like that.')}</p>}
      <ul className="views-views">
        {found.map((of) => (
          <li key={of.id}>
            <button
              type="button"
              className="tr-item"
              aria-current={of.id === view.id ? 'true' : undefined}
              onClick={() => {
                actions.show(of);
                onClose();
              }}
            >
              <i
                className={`pi pi-${types.find((type) => type.id === of.view_type)?.icon ?? 'table'}`}
                aria-hidden="true"
              />
              <span className="views-name">
                <span>{of.title}</span>
                {of.description && <small className="tr-note">{of.description}</small>}
              </span>
              <ModeSign view={of} />
            </button>
          </li>
        ))}
      </ul>
      <NewViews actions={actions} onWant={setWanted} />
      {(actions.mayUpdate || actions.mayCreate(view.view_type) || actions.mayDelete || added.length > 0) && (
        <h3 className="views-heading">{t('This view')}</h3>
      )}
      {actions.mayUpdate ? (
        <ViewFacts key={`${view.id} ${view.title}`} view={view} actions={actions} />
      ) : (
        <Maker view={view} />
      )}
      <div className="views-actions">
        <CopyAndDelete view={view} actions={actions} onWant={setWanted} onClose={onClose} />
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
    </div>
  );
}

/** The types of which views can be made. */
function NewViews(props: { readonly actions: ViewActions; readonly onWant: (wanted: NewView) => void }) {
  const { creatable, freeTitle } = props.actions;
  const t = useT();
  if (creatable.length === 0) return null;
  return (
    <>
      <h3 className="views-heading">{t('New view')}</h3>
      <div className="views-types">
        {creatable.map(({ id, label, icon }) => (
          <button
            key={id}
            type="button"
            className="tr-action"
            aria-label={t('New view: {{type}}', { type: t(label) })}
            onClick={() => props.onWant({ type: id, title: freeTitle(t(label)) })}
          >
            <i className={`pi pi-${icon}`} aria-hidden="true" /> {t(label)}
          </button>
        ))}
      </div>
    </>
  );
}

/** What makes another one of a view, and takes it away. */
function CopyAndDelete(props: {
  readonly view: ViewEntity;
  readonly actions: ViewActions;
  readonly onWant: (wanted: NewView) => void;
  readonly onClose: () => void;
}) {
  const { view, actions, onWant, onClose } = props;
  const t = useT();
  const { freeTitle } = actions;
  return (
    <>
      {actions.mayCreate(view.view_type) && (
        <button
          type="button"
          className="tr-action"
          onClick={() =>
            onWant({
              type: view.view_type,
              copyFrom: view,
              title: freeTitle(t('{{title}} copy', { title: view.title })),
            })
          }
        >
          <i className="pi pi-copy" aria-hidden="true" /> {t('Duplicate')}
        </button>
      )}
      {actions.mayDelete && (
        <button
          type="button"
          className="tr-action tr-action--danger"
          onClick={() =>
            void actions.remove(view).then((isGone) => {
              if (isGone) onClose();
            })
          }
        >
          <i className="pi pi-trash" aria-hidden="true" /> {t('Delete')}
        </button>
      )}
    </>
  );
}

/** Who made it, and when. */
function Maker({ view: { made_by: name, created_at: at } }: { readonly view: ViewEntity }) {
  const t = useT();
  const when = new Date(at);
  if (Number.isNaN(when.getTime())) return null;
  const day = when.toLocaleDateString(pageLanguage(), { dateStyle: 'medium' });
  return (
    <p className="tr-note">
      {name ? t('Made by {{name}} on {{day}}', { name, day }) : t('Made on {{day}}', { day })}
    </p>
  );
}

/** What it is for: kept when the field is left, or with Enter. */
function Description({ view, actions }: { readonly view: ViewEntity; readonly actions: ViewActions }) {
  const t = useT();
  const saved = view.description ?? '';
  const [text, setText] = useState<string>();
  const save = () => {
    if (text !== undefined && text.trim() !== saved)
      void actions.patch(view, { description: text.trim() }).then(() => setText(undefined));
  };
  return (
    <form
      className="views-row"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <input
        className="p-inputtext p-component"
        value={text ?? saved}
        maxLength={2000}
        dir="auto"
        aria-label={t('Description of the view')}
        placeholder={t('What is this view for?')}
        onChange={(event) => setText(event.target.value)}
        onBlur={save}
      />
    </form>
  );
}

/** Its name, what it is for, and who may change it. */
function ViewFacts({ view, actions }: { readonly view: ViewEntity; readonly actions: ViewActions }) {
  const t = useT();
  const [title, setTitle] = useState(view.title);
  const isNew = title.trim() !== '' && title !== view.title;
  return (
    <>
      <form
        className="views-row"
        onSubmit={(event) => {
          event.preventDefault();
          if (isNew) void actions.patch(view, { title: title.trim() });
        }}
      >
        <input
          className="p-inputtext p-component"
          value={title}
          aria-label={t('View name')}
          onChange={(event) => setTitle(event.target.value)}
        />
        <button type="submit" className="tr-button" disabled={!isNew}>
          {t('Rename')}
        </button>
      </form>
      <Description view={view} actions={actions} />
      <Maker view={view} />
      <Choices
        label={t('Who may change this view')}
        value={view.lock_type}
        options={viewModes.map(({ value, icon, label, title: meaning }) => ({
          value,
          icon,
          label: t(label),
          title: t(meaning),
        }))}
        onChange={(mode) =>
          void actions.patch(
            view,
            { lock_type: mode },
            t(viewModes.find(({ value }) => value === mode)?.done ?? ''),
          )
        }
      />
      <p className="tr-note">{t(modeOf(view)?.title ?? '')}</p>
    </>
  );
}
