import type { ProjectEntity, TableEntity, ViewEntity } from '@trellis/sdk/shared';
import { useKeptIds, useT } from '@trellis/sdk/web';
import {
  Dialog,
  ErrorNotice,
  MenuButton,
  SearchField,
  Skeleton,
  type TreeItemProps,
} from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { foundViews, searchedFrom } from './found-views.ts';
import { groupMenu, viewMenu, type MenuOptions } from './view-menus.ts';
import { useGroupActions } from './use-group-actions.ts';
import { useViewActions, type NewView } from './use-view-actions.ts';
import { useViewMoves } from './use-view-moves.ts';
import { useViewList } from './use-view-list.ts';
import { ViewGroupChoice } from './ViewGroupChoice.tsx';
import { ViewGroupItem } from './ViewGroupItem.tsx';
import { ViewIconChoice } from './ViewIconChoice.tsx';
import { ViewItem } from './ViewItem.tsx';
import {
  hasHeadings,
  idOfSection,
  linesOf,
  sectionsOf,
  ungrouped,
  type ViewSection,
} from './view-sections.ts';

interface TableViewsProps {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
}

/**
 * A table's views, below it in the side bar, where they are searched, opened, created, renamed, copied, grouped, ordered and
 * deleted.
 */
export default function TableViews({ project, table }: TableViewsProps) {
  const t = useT();
  const { views, groups, error, isLoading, refetch } = useViewList(table);
  const actions = useViewActions(project, table, views);
  const groupActions = useGroupActions(table, groups, actions);
  const folded = useKeptIds(`folded-view-groups.${table.id}`);
  /** The id of the view or group that is being renamed. */
  const [renaming, setRenaming] = useState<string>();
  const [asked, setAsked] = useState<{ readonly about: 'group' | 'icon'; readonly view: ViewEntity }>();
  const [search, setSearch] = useState('');
  const isSearched = views.length >= searchedFrom;
  const found = isSearched ? foundViews(views, groups, search) : views;
  const isWhole = found.length === views.length;
  const sections = sectionsOf(found, groups).filter(
    // Empty groups are shown only to people who can fill them.
    (section) => section.views.length > 0 || (isWhole && actions.mayUpdate),
  );
  const hasGroups = hasHeadings(sections);
  const isFolded = (section: ViewSection) => isWhole && hasGroups && folded.has(idOfSection(section));
  const lines = linesOf(sections, isFolded);

  function fold(sectionId: string) {
    folded.toggle(sectionId, [ungrouped, ...groups.map(({ id }) => id)]);
  }

  function unfold(sectionId: string) {
    if (folded.has(sectionId)) fold(sectionId);
  }

  const { list, move, sortableOf } = useViewMoves(lines, groups, groupActions, (section) =>
    unfold(idOfSection(section)),
  );
  // While some views are hidden, the new place of a view would be unclear.
  const canMove = actions.mayUpdate && isWhole;

  /** Shows the new view; its name can be changed at once. */
  async function make(wanted: NewView) {
    const made = await actions.create(wanted);
    if (made !== undefined) reveal(made.id, made.group_id ?? ungrouped);
  }

  async function makeGroup() {
    const made = await groupActions.create(groupActions.freeTitle());
    if (made !== undefined) reveal(made.id, made.id);
  }

  /** Shows a new item in its section, ready to be renamed. */
  function reveal(id: string, sectionId: string) {
    // Its name may not match the search.
    setSearch('');
    unfold(sectionId);
    setRenaming(id);
  }

  function renameOf(
    id: string,
    label: string,
    onName: (title: string) => Promise<boolean>,
  ): TreeItemProps['rename'] {
    return {
      label,
      isRunning: renaming === id,
      onStart: () => setRenaming(id),
      onName,
      onEnd: () => setRenaming((now) => (now === id ? undefined : now)),
    };
  }

  const options: MenuOptions = {
    t,
    actions,
    groupActions,
    lines,
    isWhole,
    move,
    rename: setRenaming,
    ask: (about, view) => setAsked({ about, view }),
    make: (wanted) => void make(wanted),
  };

  function itemsOf(section: ViewSection) {
    return section.views.map((view) => (
      <ViewItem
        key={view.id}
        {...{ project, table, view }}
        actions={viewMenu(view, options)}
        rename={
          actions.mayDescribe(view)
            ? renameOf(view.id, t('View name'), (title) => actions.patch(view, { title }))
            : undefined
        }
        sortable={canMove ? sortableOf(lines.findIndex((line) => line.view === view)) : undefined}
        onOpen={() => actions.show(view)}
      />
    ));
  }

  function groupOf(section: ViewSection) {
    const { group } = section;
    const at = lines.findIndex((line) => line.section === section);
    const { row, ...grips } = canMove ? sortableOf(at) : {};
    return (
      <ViewGroupItem
        key={idOfSection(section)}
        section={section}
        isFolded={isFolded(section)}
        onFold={() => fold(idOfSection(section))}
        actions={group ? groupMenu(group, groups, options) : []}
        rename={
          group && actions.mayUpdate
            ? renameOf(group.id, t('Group name'), (title) => groupActions.rename(group, title))
            : undefined
        }
        // The ungrouped views stay last, but accept others.
        sortable={row && { row, press: {}, ...(group && grips) }}
      >
        {isFolded(section) ? null : itemsOf(section)}
      </ViewGroupItem>
    );
  }

  // A later failed answer removes neither the views nor a name that is being typed.
  if (error && views.length === 0) return <ErrorNotice message={error.message} onRetry={refetch} />;
  if (isLoading) return <Skeleton height={24} count={2} />;
  return (
    <>
      {isSearched && (
        <div className="views-find">
          <SearchField label={t('Search the views')} value={search} onChange={setSearch} />
        </div>
      )}
      {found.length === 0 && views.length > 0 && (
        <p className="tr-note">{t('No view is called or described like that.')}</p>
      )}
      <ul ref={list} aria-label={t('Views of {{title}}', { title: table.title })}>
        {hasGroups ? sections.map(groupOf) : sections.map(itemsOf)}
      </ul>
      <MenuButton
        className="tr-action"
        label={t('Add a view to {{title}}', { title: table.title })}
        actions={[
          ...actions.creatable.map(({ id, label, icon }) => ({
            id,
            label: actions.makesPersonal(id)
              ? t('New personal view: {{type}}', { type: t(label) })
              : t('New view: {{type}}', { type: t(label) }),
            icon,
            run: () => void make({ type: id, title: actions.freeTitle(t(label)) }),
          })),
          ...(actions.mayUpdate
            ? [
                {
                  id: 'group',
                  label: t('New group of views'),
                  icon: 'folder',
                  startsGroup: true,
                  run: () => void makeGroup(),
                },
              ]
            : []),
        ]}
      >
        <i className="pi pi-plus" aria-hidden="true" /> {t('Add a view')}
      </MenuButton>
      {asked && (
        <Dialog
          title={
            asked.about === 'icon'
              ? t('Icon of {{title}}', { title: asked.view.title })
              : t('Group of {{title}}', { title: asked.view.title })
          }
          width={380}
          dismissable
          onClose={() => setAsked(undefined)}
        >
          {asked.about === 'icon' ? (
            <ViewIconChoice view={asked.view} actions={actions} onDone={() => setAsked(undefined)} />
          ) : (
            <ViewGroupChoice
              view={asked.view}
              groups={groups}
              actions={actions}
              groupActions={groupActions}
              onDone={() => setAsked(undefined)}
            />
          )}
        </Dialog>
      )}
    </>
  );
}
