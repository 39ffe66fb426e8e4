import type { ViewEntity } from '@trellis/sdk/shared';
import { useMenuActions, useT, type ViewProps } from '@trellis/sdk/web';
import { isRightToLeft, PopoverButton, SearchField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { foundViews, searchedFrom } from './found-views.ts';
import { NewViewForm } from './NewViewForm.tsx';
import { useViewActions, type NewView, type ViewActions } from './use-view-actions.ts';
import { useGroupActions } from './use-group-actions.ts';
import { useViewList } from './use-view-list.ts';
import { useViewIcon } from './view-icon.ts';
import { sectionsOf } from './view-sections.ts';
import { Maker, ViewFacts } from './ViewFacts.tsx';
import { ViewGroupChoice } from './ViewGroupChoice.tsx';
import { ViewIconChoice } from './ViewIconChoice.tsx';
import { SwitcherList } from './SwitcherList.tsx';

/** The view's name, the table's other views, and this view's actions. */
export function ViewSwitcher(props: ViewProps) {
  const { view } = props;
  const t = useT();
  const icon = useViewIcon()(view);
  return (
    <PopoverButton icon={view.lock_type === 'locked' ? 'lock' : icon} label={view.title} heading={t('Views')}>
      {(close) => <ViewsPanel {...props} onClose={close} />}
    </PopoverButton>
  );
}

function ViewsPanel({ project, table, view, onClose }: ViewProps & { readonly onClose: () => void }) {
  const added = useMenuActions('view', { project, table, view });
  const [wanted, setWanted] = useState<NewView>();
  const [asked, setAsked] = useState<'group' | 'icon'>();
  /** The button that opened the last question, which gets the focus back afterwards. */
  const [asker, setAsker] = useState<string>();
  const { groups } = useViewList(table);
  const views = (table.views ?? []).toSorted((a, b) => a.order - b.order);
  const actions = useViewActions(project, table, views);
  const t = useT();
  const [search, setSearch] = useState('');
  const groupActions = useGroupActions(table, groups, actions);
  const found = foundViews(views, groups, search);

  function want(of: NewView) {
    setWanted(of);
    setAsker(askerOf(of));
  }

  function ask(about: 'group' | 'icon') {
    setAsked(about);
    setAsker(about);
  }

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
  if (asked !== undefined) {
    const done = () => setAsked(undefined);
    return (
      <div className="views-list">
        <div className="views-asked">
          <button
            type="button"
            className="tr-icon-button"
            aria-label={t('Back')}
            title={t('Back')}
            onClick={done}
          >
            <i className={`pi pi-arrow-${isRightToLeft() ? 'right' : 'left'}`} aria-hidden="true" />
          </button>
          <h3>
            {asked === 'icon'
              ? t('Icon of {{title}}', { title: view.title })
              : t('Group of {{title}}', { title: view.title })}
          </h3>
        </div>
        {asked === 'icon' ? (
          <ViewIconChoice view={view} actions={actions} onDone={done} />
        ) : (
          <ViewGroupChoice {...{ view, groups, actions, groupActions }} onDone={done} />
        )}
      </div>
    );
  }
  return (
    <div className="views-list">
      {views.length >= searchedFrom && (
        <SearchField label={t('Search the views')} value={search} onChange={setSearch} />
      )}
      {found.length === 0 && <p className="tr-note">{t('No view is called or described like that.')}</p>}
      <SwitcherList
        sections={sectionsOf(found, groups)}
        view={view}
        onShow={(of) => {
          actions.show(of);
          onClose();
        }}
      />
      <NewViews actions={actions} asker={asker} onWant={want} />
      {(actions.mayDescribe(view) ||
        actions.mayCreate(view.view_type) ||
        actions.mayDelete(view) ||
        added.length > 0) && <h3 className="views-heading">{t('This view')}</h3>}
      {actions.mayDescribe(view) ? (
        <ViewFacts key={view.id} view={view} actions={actions} asker={asker} onAsk={ask} />
      ) : (
        <Maker view={view} />
      )}
      <div className="views-actions">
        <CopyAndDelete {...{ view, actions, asker, onClose }} onWant={want} />
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

/** The button that opens the form for a new view. */
function askerOf({ type, copyFrom }: NewView): string {
  return copyFrom === undefined ? `new ${type}` : 'copy';
}

/** The view types that can be created. */
function NewViews(props: {
  readonly actions: ViewActions;
  readonly asker: string | undefined;
  readonly onWant: (wanted: NewView) => void;
}) {
  const { creatable, freeTitle, makesPersonal } = props.actions;
  const t = useT();
  if (creatable.length === 0) return null;
  const isPersonal = creatable.every(({ id }) => makesPersonal(id));
  return (
    <>
      <h3 className="views-heading">{isPersonal ? t('New personal view') : t('New view')}</h3>
      {isPersonal && <p className="tr-note">{t('Only you see views that you make here.')}</p>}
      <div className="views-types">
        {creatable.map(({ id, label, icon }) => {
          const wanted = { type: id, title: freeTitle(t(label)) };
          return (
            <button
              key={id}
              type="button"
              className="tr-action"
              aria-label={
                makesPersonal(id)
                  ? t('New personal view: {{type}}', { type: t(label) })
                  : t('New view: {{type}}', { type: t(label) })
              }
              autoFocus={props.asker === askerOf(wanted)}
              onClick={() => props.onWant(wanted)}
            >
              <i className={`pi pi-${icon}`} aria-hidden="true" /> {t(label)}
            </button>
          );
        })}
      </div>
    </>
  );
}

/** Copies and deletes a view. */
function CopyAndDelete(props: {
  readonly view: ViewEntity;
  readonly actions: ViewActions;
  readonly asker: string | undefined;
  readonly onWant: (wanted: NewView) => void;
  readonly onClose: () => void;
}) {
  const { view, actions, asker, onWant, onClose } = props;
  const t = useT();
  const copy = {
    type: view.view_type,
    copyFrom: view,
    title: actions.freeTitle(t('{{title}} copy', { title: view.title })),
  };
  return (
    <>
      {actions.mayCreate(view.view_type) && (
        <button
          type="button"
          className="tr-action"
          autoFocus={asker === askerOf(copy)}
          onClick={() => onWant(copy)}
        >
          <i className="pi pi-copy" aria-hidden="true" />{' '}
          {actions.makesPersonal(view.view_type) ? t('Make a personal copy') : t('Duplicate')}
        </button>
      )}
      {actions.mayDelete(view) && (
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
