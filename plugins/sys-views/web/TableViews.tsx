import type { ProjectEntity, TableEntity, ViewEntity } from '@trellis/sdk/shared';
import { useMenuActions, useRegistry, useServerData, useShell, useT } from '@trellis/sdk/web';
import {
  ErrorNotice,
  MenuButton,
  numbersOfMove,
  SearchField,
  Skeleton,
  TreeItem,
  useSortable,
  type MenuAction,
  type TreeItemProps,
} from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { foundViews, searchedFrom } from './found-views.ts';
import { ModeSign } from './ModeSign.tsx';
import { useViewActions, type ViewActions } from './use-view-actions.ts';

interface TableViewsProps {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
}

/** The views of a table, under it in the side bar: found, opened, made, renamed, copied, put in order and deleted there. */
export default function TableViews({ project, table }: TableViewsProps) {
  const t = useT();
  const { data, error, isLoading, refetch } = useServerData<{ readonly list: readonly ViewEntity[] }>(
    { path: `/api/v1/db/meta/tables/${encodeURIComponent(table.id)}/views` },
    { tags: [`table:${table.id}`] },
  );
  const views = (data?.list ?? []).toSorted((a, b) => a.order - b.order);
  const actions = useViewActions(project, table, views);
  const [renaming, setRenaming] = useState<string>();
  const [search, setSearch] = useState('');
  const isSearched = views.length >= searchedFrom;
  const found = isSearched ? foundViews(views, search) : views;
  const sortable = useSortable(views.length, (from, to) => void move(from, to));

  async function move(from: number, to: number) {
    const orders = views.map(({ order }) => order);
    for (const [row, order] of numbersOfMove(orders, from, to)) {
      const view = views[row];
      if (view !== undefined) await actions.patch(view, { order });
    }
  }

  /** The new view is shown; its name can be typed over at once. */
  async function make(wanted: Parameters<ViewActions['create']>[0]) {
    const made = await actions.create(wanted);
    // It may be called otherwise than what was searched for.
    if (made !== undefined) setSearch('');
    if (made !== undefined && actions.mayUpdate) setRenaming(made.id);
  }

  /** Between views that are not shown, nobody sees where one is put. */
  function sortableOf(view: ViewEntity) {
    if (!actions.mayUpdate || found.length < views.length) return undefined;
    const at = views.indexOf(view);
    return { row: sortable.row(at), press: sortable.press(at) };
  }

  function actionsOf(view: ViewEntity): readonly MenuAction[] {
    const at = views.indexOf(view);
    const isWhole = found.length === views.length;
    const { mayUpdate, mayDelete, mayCreate, freeTitle } = actions;
    const offered: readonly (MenuAction & { readonly when: boolean })[] = [
      {
        id: 'rename',
        when: mayUpdate,
        label: t('Rename'),
        icon: 'pencil',
        run: () => setRenaming(view.id),
      },
      {
        id: 'copy',
        when: mayCreate(view.view_type),
        label: t('Duplicate'),
        icon: 'copy',
        run: () => {
          const title = freeTitle(t('{{title}} copy', { title: view.title }));
          void make({ type: view.view_type, title, copyFrom: view });
        },
      },
      {
        id: 'up',
        when: mayUpdate && isWhole && at > 0,
        label: t('Move up'),
        icon: 'arrow-up',
        run: () => void move(at, at - 1),
      },
      {
        id: 'down',
        when: mayUpdate && isWhole && at < views.length - 1,
        label: t('Move down'),
        icon: 'arrow-down',
        run: () => void move(at, at + 1),
      },
      {
        id: 'delete',
        when: mayDelete,
        label: t('Delete'),
        icon: 'trash',
        danger: true,
        startsGroup: true,
        run: () => void actions.remove(view),
      },
    ];
    return offered.filter(({ when }) => when);
  }

  async function rename(view: ViewEntity, title: string) {
    setRenaming(undefined);
    if (title.trim() !== '' && title.trim() !== view.title)
      await actions.patch(view, { title: title.trim() });
  }

  if (error) return <ErrorNotice message={error.message} onRetry={refetch} />;
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
      <ul aria-label={t('Views of {{title}}', { title: table.title })}>
        {found.map((view) => (
          <ViewItem
            key={view.id}
            {...{ project, table, view }}
            actions={actionsOf(view)}
            rename={
              actions.mayUpdate
                ? {
                    label: t('View name'),
                    isRunning: renaming === view.id,
                    onStart: () => setRenaming(view.id),
                    onDone: (title) => void rename(view, title),
                  }
                : undefined
            }
            sortable={sortableOf(view)}
            onOpen={() => actions.show(view)}
          />
        ))}
      </ul>
      <MenuButton
        className="tr-action"
        label={t('Add a view to {{title}}', { title: table.title })}
        actions={actions.creatable.map(({ id, label, icon }) => ({
          id,
          label: t('New view: {{type}}', { type: t(label) }),
          icon,
          run: () => void make({ type: id, title: actions.freeTitle(t(label)) }),
        }))}
      >
        <i className="pi pi-plus" aria-hidden="true" /> {t('Add a view')}
      </MenuButton>
    </>
  );
}

function ViewItem(
  props: TableViewsProps & {
    readonly view: ViewEntity;
    readonly actions: readonly MenuAction[];
    readonly rename: TreeItemProps['rename'];
    readonly sortable: TreeItemProps['sortable'];
    readonly onOpen: () => void;
  },
) {
  const { project, table, view } = props;
  const t = useT();
  const { activeTab, context } = useShell();
  const types = useRegistry('viewTypes');
  const added = useMenuActions('view', { project, table, view });
  return (
    <TreeItem
      icon={types.find(({ id }) => id === view.view_type)?.icon ?? 'table'}
      title={view.title}
      isActive={activeTab?.type === 'table' && activeTab.key === table.id && context.view?.id === view.id}
      onOpen={props.onOpen}
      menu={{
        label: t('View {{title}}', { title: view.title }),
        buttonLabel: t('Actions for {{title}}', { title: view.title }),
        actions: [...props.actions, ...added],
      }}
      sign={<ModeSign view={view} />}
      rename={props.rename}
      sortable={props.sortable}
    />
  );
}
