import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import {
  Contribution,
  useContributions,
  useRegistry,
  useServerData,
  useShell,
  usualParts,
  useT,
  type OpenTab,
  type ToolbarItem,
  type ViewPart,
  type ViewProps,
  hasPermission,
  withinTable,
} from '@trellis/sdk/web';
import { Empty, ErrorNotice, Notice, ScrollStrip, Skeleton } from '@trellis/sdk/web/ui';
import { CellsInSight, CellsInSightContext } from '@trellis/sdk/web/grid';
import { OwnLookContext, RowSearchContext, useNewRowSearch } from '@trellis/sdk/web/views';
import { useEffect, useState } from 'react';
import { tablePath } from './table-requests.ts';
import { useChosenView } from './use-chosen-view.ts';
import { useKeptLook } from './use-kept-look.ts';
import { ViewRows } from './ViewRows.tsx';

/** A table's tab: the toolbar and the chosen view. */
export default function TableTab({
  project,
  tab,
}: {
  readonly project: ProjectEntity;
  readonly tab: OpenTab;
}) {
  const t = useT();
  const { data, error, refetch } = useServerData<TableEntity>(
    { path: tablePath(tab.key) },
    { tags: [`table:${tab.key}`] },
  );
  // The cache may still contain the deleted table.
  if (error?.code === 'TABLE_NOT_FOUND') return <TableGone tab={tab} />;
  if (data !== undefined && data.id === tab.key)
    return <OpenTable project={withinTable(project, data)} table={data} tab={tab} />;
  if (error !== undefined) {
    return <ErrorNotice title={t('This table cannot be opened')} message={error.message} onRetry={refetch} />;
  }
  return <ViewSkeleton />;
}

function TableGone({ tab }: { readonly tab: OpenTab }) {
  const t = useT();
  const shell = useShell();
  return (
    <Empty
      icon="trash"
      title={t('“{{name}}” is not there any more', { name: tab.name })}
      text={t('The table was deleted, or you may no longer see it.')}
    >
      <button type="button" className="tr-button tr-button--primary" onClick={() => shell.closeTab(tab)}>
        {t('Close')}
      </button>
    </Empty>
  );
}

interface OpenTableProps {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly tab: OpenTab;
}

function OpenTable({ project, table, tab }: OpenTableProps) {
  const t = useT();
  const shell = useShell();
  const view = useChosenView(table, tab);
  useEffect(() => {
    shell.setContext({ table, view });
    return () => shell.setContext({ table: undefined, view: undefined });
  }, [shell, table, view]);

  if (view === undefined)
    return <Notice severity="warn">{t('This table has no view that you may see.')}</Notice>;
  return <OpenView {...{ project, table, view }} />;
}

function OpenView({ project, table, view }: Omit<ViewProps, 'readOnly'>) {
  const t = useT();
  const search = useNewRowSearch(view);
  const look = useKeptLook(view, table.columns);
  const [cells] = useState(() => new CellsInSight());
  const viewTypes = useRegistry('viewTypes');
  const type = viewTypes.find((of) => of.id === view.view_type);
  const canEdit = hasPermission('dataUpdate', project);
  const props: ViewProps = {
    project,
    table,
    view,
    readOnly: !canEdit || table.readOnlyReason !== undefined || type === undefined,
  };
  return (
    <CellsInSightContext value={cells}>
      <OwnLookContext value={look}>
        <RowSearchContext value={search}>
          <div className="tables-table">
            <Toolbar {...props} uses={type?.uses} />
            {table.readOnlyReason !== undefined && (
              <Notice severity="warn" icon="lock">
                {table.readOnlyReason}
              </Notice>
            )}
            {type === undefined && (
              <Notice severity="warn">
                {t(
                  'The plugin that draws views of the type “{{type}}” is switched off or missing. The rows are shown read-only.',
                  { type: view.view_type },
                )}
              </Notice>
            )}
            <div className="tables-view">
              {type ? (
                <Contribution
                  key={`${type.id} ${view.id}`}
                  registry="viewTypes"
                  id={type.id}
                  what={t('View {{title}}', { title: view.title })}
                  fallback={<ViewSkeleton />}
                >
                  <type.View {...props} />
                </Contribution>
              ) : (
                <ViewRows key={view.id} {...props} />
              )}
            </div>
          </div>
        </RowSearchContext>
      </OwnLookContext>
    </CellsInSightContext>
  );
}

/** The placeholder while a view's code or its table loads. */
function ViewSkeleton() {
  return (
    <div className="tables-loading">
      <Skeleton className="tables-loading-rows" height={18} count={8} />
    </div>
  );
}

/** The buttons above a view; `uses` omits those for parts that its type does not have. */
function Toolbar({ uses = usualParts, ...props }: ViewProps & { readonly uses?: readonly ViewPart[] }) {
  const t = useT();
  const items = useContributions('toolbarItems', ({ part }) => part === undefined || uses.includes(part));
  if (items.length === 0) return null;
  return (
    <ScrollStrip className="tables-toolbar" role="toolbar" aria-label={t('View')}>
      <ToolbarItems items={items.filter((item) => item.slot === 'view-toolbar-start')} view={props} />
      <span className="tr-gap" />
      <ToolbarItems items={items.filter((item) => item.slot === 'view-toolbar-end')} view={props} />
    </ScrollStrip>
  );
}

function ToolbarItems({ items, view }: { readonly items: readonly ToolbarItem[]; readonly view: ViewProps }) {
  return items.map((item) => (
    <Contribution key={item.id} registry="toolbarItems" id={item.id} compact>
      <item.Component {...view} />
    </Contribution>
  ));
}
