import type { ProjectEntity, TableEntity, TableUses } from '@trellis/sdk/shared';
import { hasPermission, messageOfError, useHost, useKeptIds, useShell, useTables } from '@trellis/sdk/web';
import {
  ErrorNotice,
  matchesSearch,
  numbersOfMove,
  SearchField,
  Skeleton,
  type MenuAction,
} from '@trellis/sdk/web/ui';
import { useEffect, useState, type ComponentType } from 'react';
import { columnList } from './column-requests.ts';
import type { DialogRequests } from './dialog-requests.ts';
import { nameProblem } from './names.ts';
import { TableGroup } from './TableGroup.tsx';
import { TableItem } from './TableItem.tsx';
import { tablePath } from './table-requests.ts';
import { isOfOthers, tablesByBase } from './tables-by-base.ts';

/** The open project's tables, in the side bar. */
export function createTablesPane(requests: DialogRequests): ComponentType {
  return function TablesPane() {
    const { project } = useShell().context;
    return project === undefined ? null : <Tables key={project.id} project={project} requests={requests} />;
  };
}

/** The search field is shown for more tables than this. */
const searchFrom = 8;

function Tables({
  project,
  requests,
}: {
  readonly project: ProjectEntity;
  readonly requests: DialogRequests;
}) {
  const host = useHost();
  const { t } = host;
  const { activeTab } = useShell();
  const tag = `tables:${project.id}`;
  const { data, error, isLoading, refetch } = useTables(project.id);
  const unfolded = useKeptIds(`unfolded-tables.${project.id}`);
  const [search, setSearch] = useState('');
  const [renaming, setRenaming] = useState<string>();
  const may = (permission: string) => hasPermission(permission, project);
  const tables = data?.list ?? [];
  const shown = tables.filter(({ title }) => matchesSearch(title, search.trim()));
  const groups = tablesByBase(shown, project, t);

  useEffect(() => {
    if (data === undefined) return;
    host.shell.nameTabs('table', new Map(data.list.map(({ id, title }) => [id, title])));
  }, [host, data]);

  function open(table: TableEntity) {
    host.shell.openTab({ type: 'table', key: table.id, name: table.title });
  }

  async function attempt(what: string, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (failure) {
      host.toast({ severity: 'error', summary: what, detail: messageOfError(failure, t), life: 5000 });
      return false;
    } finally {
      host.invalidate([tag]);
    }
  }

  async function rename(table: TableEntity, title: string): Promise<boolean> {
    const others = tables.filter((other) => other.id !== table.id).map((other) => other.title);
    const wrong = nameProblem('Table', title, others, project);
    if (wrong !== undefined) {
      host.toast({ severity: 'error', summary: t(wrong.text, wrong.values) });
      return false;
    }
    const isDone = await attempt(t('The table could not be renamed'), () =>
      host.api.request({ method: 'PATCH', path: tablePath(table.id), body: { title } }),
    );
    host.invalidate([`table:${table.id}`]);
    return isDone;
  }

  async function remove(table: TableEntity) {
    const uses = await host.api
      .request<TableUses>({ path: `${tablePath(table.id)}/uses` })
      .catch((failure: unknown) => {
        host.toast({
          severity: 'error',
          summary: t('The table could not be deleted'),
          detail: messageOfError(failure, t),
        });
      });
    if (uses === undefined) return;
    if (uses.links.length > 0) {
      host.toast({
        severity: 'warn',
        summary: t('The table is linked with others'),
        detail: t('Delete these columns first: {{titles}}.', { titles: columnList(uses.links) }),
        life: 10_000,
      });
      return;
    }
    const agreed = await host.confirm({
      title: t('Delete table {{title}}?', { title: table.title }),
      message: isOfOthers(table, project)
        ? t('It disappears here for everybody at once, with its views. The database keeps it, with its rows.')
        : t(
            'It disappears for everybody at once, with its rows and views. The trash of the project keeps it for 30 days.',
          ),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (!agreed) return;
    const isDone = await attempt(t('The table could not be deleted'), () =>
      host.api.request({ method: 'DELETE', path: tablePath(table.id) }),
    );
    if (!isDone) return;
    for (const tab of host.shell.tabs) if (tab.key === table.id) host.shell.closeTab(tab);
    host.toast({ severity: 'success', summary: t('Table {{title}} deleted', { title: table.title }) });
  }

  /** Moves a table to the place of another one. */
  async function move(table: TableEntity, target: TableEntity | undefined) {
    if (target === undefined || table === target) return;
    const orders = tables.map(({ order }) => order);
    await attempt(t('The table could not be moved'), async () => {
      for (const [row, order] of numbersOfMove(orders, tables.indexOf(table), tables.indexOf(target))) {
        const path = `${tablePath(tables[row]?.id ?? '')}/reorder`;
        await host.api.request({ method: 'POST', path, body: { order } });
      }
    });
  }

  /** `among`: the tables of the same group. */
  function actionsOf(table: TableEntity, among: readonly TableEntity[]): readonly MenuAction[] {
    const at = among.indexOf(table);
    return [
      ...(may('tableUpdate')
        ? [{ id: 'rename', label: t('Rename'), icon: 'pencil', run: () => setRenaming(table.id) }]
        : []),
      ...(may('tableReorder') && at > 0
        ? [{ id: 'up', label: t('Move up'), icon: 'arrow-up', run: () => void move(table, among[at - 1]) }]
        : []),
      ...(may('tableReorder') && at < among.length - 1
        ? [
            {
              id: 'down',
              label: t('Move down'),
              icon: 'arrow-down',
              run: () => void move(table, among[at + 1]),
            },
          ]
        : []),
      ...(may('tableDelete')
        ? [
            {
              id: 'delete',
              label: t('Delete'),
              icon: 'trash',
              danger: true,
              startsGroup: true,
              run: () => void remove(table),
            },
          ]
        : []),
    ];
  }

  return (
    <nav className="tr-tree" aria-label={t('Tables')}>
      <header>
        <h2>{t('Tables')}</h2>
        {may('tableCreate') && (
          <button
            type="button"
            className="tr-icon-button tr-icon-button--small"
            aria-label={t('Create table')}
            title={t('Create table')}
            onClick={() => requests.createTable(project)}
          >
            <i className="pi pi-plus" aria-hidden="true" />
          </button>
        )}
      </header>
      {(tables.length >= searchFrom || search !== '') && (
        <SearchField label={t('Search tables')} value={search} onChange={setSearch} />
      )}
      {isLoading && <Skeleton height={32} count={3} />}
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {data && tables.length === 0 && (
        <div className="tables-hint">
          <p>{t('This project has no tables yet.')}</p>
          {may('tableCreate') && (
            <button
              type="button"
              className="tr-button tr-button--primary"
              onClick={() => requests.createTable(project)}
            >
              <i className="pi pi-plus" aria-hidden="true" /> {t('Create your first table')}
            </button>
          )}
        </div>
      )}
      {search !== '' && shown.length === 0 && (
        <p className="tables-hint">{t('your search for {{search}} found no results', { search })}</p>
      )}
      {groups.map((group) => (
        <TableGroup
          key={group.id}
          group={group}
          onMove={may('tableReorder') ? (table, target) => void move(table, target) : undefined}
          item={(table, sortable) => (
            <TableItem
              key={table.id}
              project={project}
              table={table}
              actions={actionsOf(table, group.tables)}
              sortable={sortable}
              isUnfolded={unfolded.has(table.id)}
              onFold={() =>
                unfolded.toggle(
                  table.id,
                  tables.map(({ id }) => id),
                )
              }
              isActive={activeTab?.type === 'table' && activeTab.key === table.id}
              isRenaming={renaming === table.id}
              canRename={may('tableUpdate')}
              onOpen={() => open(table)}
              onStartRename={() => setRenaming(table.id)}
              onRename={(title) => rename(table, title)}
              onEndRename={() => setRenaming((now) => (now === table.id ? undefined : now))}
            />
          )}
        />
      ))}
    </nav>
  );
}
