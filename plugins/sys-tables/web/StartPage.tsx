import type { ProjectEntity } from '@trellis/sdk/shared';
import {
  type DashboardStartProps,
  hasPermission,
  useContributions,
  useHost,
  useTables,
} from '@trellis/sdk/web';
import { Empty, ErrorNotice, PageSkeleton, PageHead } from '@trellis/sdk/web/ui';
import { useEffect, type ComponentType } from 'react';
import type { DialogRequests } from './dialog-requests.ts';
import { tablesByBase } from './tables-by-base.ts';

/** Shown when a project has no open tab: opens the first table if the person has just arrived, otherwise lists the tables. */
export function createStartPage(requests: DialogRequests): ComponentType<DashboardStartProps> {
  return function StartPage({ project, isArriving }) {
    const { shell, t } = useHost();
    const { data, error, refetch } = useTables(project.id);
    const groups = tablesByBase(data?.list ?? [], project, t);
    const first = groups[0]?.tables[0];
    const opens = isArriving ? first : undefined;
    useEffect(() => {
      if (opens !== undefined) shell.openTab({ type: 'table', key: opens.id, name: opens.title });
    }, [shell, opens]);
    if (data === undefined && error !== undefined)
      return (
        <ErrorNotice title={t('The tables could not be read')} message={error.message} onRetry={refetch} />
      );
    if (data === undefined || opens !== undefined) return <PageSkeleton />;
    const create = hasPermission('tableCreate', project) ? () => requests.createTable(project) : undefined;
    if (first === undefined) return <NoTables project={project} onCreate={create} />;
    return (
      <section className="tr-page tables-start">
        <PageHead title={project.title} about={t('No table is open. Choose one.')}>
          {create && (
            <button type="button" className="tr-button tr-button--primary" onClick={create}>
              <i className="pi pi-plus" aria-hidden="true" /> {t('Create table')}
            </button>
          )}
        </PageHead>
        {groups.map(({ id, name, tables }) => (
          <section key={id}>
            {name !== undefined && <h2 className="tables-base">{name}</h2>}
            <ul aria-label={name ?? t('Tables')}>
              {tables.map((table) => (
                <li key={table.id}>
                  <button
                    type="button"
                    onClick={() => shell.openTab({ type: 'table', key: table.id, name: table.title })}
                  >
                    <i className={`pi pi-${table.type === 'view' ? 'eye' : 'table'}`} aria-hidden="true" />
                    <strong>{table.title}</strong>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </section>
    );
  };
}

function NoTables(props: { readonly project: ProjectEntity; readonly onCreate: (() => void) | undefined }) {
  const { shell, t } = useHost();
  const [databases] = useContributions('dashboardTabs', ({ id }) => id === 'databases');
  if (props.onCreate === undefined)
    return (
      <Empty
        icon="table"
        title={t('This project has no tables yet.')}
        text={t('Who may create tables has made none that you can see.')}
      />
    );
  return (
    <Empty
      icon="table"
      title={t('This project has no tables yet.')}
      text={t('Create one with columns of your choice, or work on the tables of a database that exists.')}
    >
      <div className="tables-start-ways">
        <button type="button" className="tr-button tr-button--primary" onClick={props.onCreate}>
          <i className="pi pi-plus" aria-hidden="true" /> {t('New table')}
        </button>
        {databases && (
          <button
            type="button"
            className="tr-button"
            onClick={() => shell.openTab({ type: databases.id, key: databases.id, name: t(databases.label) })}
          >
            <i className={`pi pi-${databases.icon}`} aria-hidden="true" /> {t('Open a database')}
          </button>
        )}
      </div>
    </Empty>
  );
}
