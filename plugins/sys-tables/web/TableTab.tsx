import type { ProjectEntity, TableEntity, ViewEntity } from '@trellis/sdk/shared';
import {
  useHost,
  useRegistry,
  useServerData,
  useShell,
  useT,
  type OpenTab,
  type ToolbarItem,
  type ViewProps,
} from '@trellis/sdk/web';
import { Suspense, useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { tablePath } from './table-requests.ts';

/** A table in its tab: the toolbar, then the chosen view. */
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
  if (data !== undefined && data.id === tab.key) return <OpenTable project={project} table={data} />;
  if (error !== undefined) {
    return (
      <section className="tr-empty" role="alert">
        <i className="pi pi-exclamation-circle" aria-hidden="true" />
        <h2>{t('This table cannot be opened')}</h2>
        <p>{error.message}</p>
        <button type="button" className="tr-button" onClick={refetch}>
          {t('Try again')}
        </button>
      </section>
    );
  }
  return <div className="tables-loading" aria-busy="true" />;
}

/** The view that the address names, else the table's default one. */
function useChosenView(table: TableEntity): ViewEntity | undefined {
  const [search] = useSearchParams();
  const views = table.views ?? [];
  return (
    views.find((view) => view.id === search.get('view')) ?? views.find((view) => view.is_default) ?? views[0]
  );
}

function OpenTable({ project, table }: { readonly project: ProjectEntity; readonly table: TableEntity }) {
  const t = useT();
  const shell = useShell();
  const view = useChosenView(table);
  const viewTypes = useRegistry('viewTypes');
  useEffect(() => {
    shell.setContext({ table, view });
    return () => shell.setContext({ table: undefined, view: undefined });
  }, [shell, table, view]);

  if (view === undefined)
    return <p className="tables-banner">{t('This table has no view that you may see.')}</p>;
  const type = viewTypes.find((of) => of.number === view.type);
  const canEdit = project.role !== 'viewer' && project.role !== 'commenter';
  const props: ViewProps = {
    project,
    table,
    view,
    readOnly: !canEdit || table.readOnlyReason !== undefined || type === undefined,
  };
  // Whoever switched the view's type off still sees the rows.
  const shown = type ?? viewTypes.find((of) => of.id === 'grid');

  return (
    <div className="tables-table">
      <Toolbar {...props} />
      {table.readOnlyReason !== undefined && (
        <p className="tables-banner" role="status">
          <i className="pi pi-lock" aria-hidden="true" /> {table.readOnlyReason}
        </p>
      )}
      {type === undefined && (
        <p className="tables-banner" role="status">
          <i className="pi pi-info-circle" aria-hidden="true" />{' '}
          {t('The plugin that draws this view is switched off. Its rows are shown read-only.')}
        </p>
      )}
      <div className="tables-view">
        {shown ? (
          <Suspense fallback={<div className="tables-loading" aria-busy="true" />}>
            <shown.View {...props} />
          </Suspense>
        ) : (
          <section className="tr-empty">
            <i className="pi pi-eye-slash" aria-hidden="true" />
            <h2>{t('This view cannot be shown')}</h2>
            <p>
              {t(
                'No plugin that is switched on can draw it. The super admin can switch one on in the app store.',
              )}
            </p>
          </section>
        )}
      </div>
    </div>
  );
}

function Toolbar(props: ViewProps) {
  const t = useT();
  const items = useRegistry('toolbarItems');
  if (items.length === 0) return null;
  return (
    <div className="tables-toolbar" role="toolbar" aria-label={t('View')}>
      <ToolbarItems items={items.filter((item) => item.slot === 'view-toolbar-start')} view={props} />
      <span className="tables-toolbar-gap" />
      <ToolbarItems items={items.filter((item) => item.slot === 'view-toolbar-end')} view={props} />
    </div>
  );
}

function ToolbarItems({ items, view }: { readonly items: readonly ToolbarItem[]; readonly view: ViewProps }) {
  const { Boundary, registry } = useHost();
  const { context } = useShell();
  return items
    .filter((item) => item.when?.(context) ?? true)
    .map((item) => (
      <Boundary
        key={item.id}
        owner={registry('toolbarItems').ownerOf(item.id) ?? item.id}
        what={item.id}
        compact
      >
        <Suspense>
          <item.Component {...view} />
        </Suspense>
      </Boundary>
    ));
}
