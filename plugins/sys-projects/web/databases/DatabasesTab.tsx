import type { BaseEntity, ProjectEntity } from '@trellis/sdk/shared';
import { hasPermission, messageOfError, useHost, useServerData, type OpenTab } from '@trellis/sdk/web';
import { ErrorNotice, Skeleton, PageHead } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { nameOfDatabase } from '../../shared/index.ts';
import { AddDatabaseDialog } from './AddDatabaseDialog.tsx';
import { basePath, useDatabaseKinds, type Connection } from './database-requests.ts';
import { DatabaseItem } from './DatabaseItem.tsx';
import { EditDatabaseDialog } from './EditDatabaseDialog.tsx';
import { isSentFile } from './SqliteFileField.tsx';

/** A project's databases and their connections, with buttons to add and remove them. */
export default function DatabasesTab({
  project,
}: {
  readonly project: ProjectEntity;
  readonly tab: OpenTab;
}) {
  const host = useHost();
  const { t } = host;
  const path = `/api/v1/db/meta/projects/${encodeURIComponent(project.id)}`;
  const tags = [`project:${project.id}`];
  const whole = useServerData<ProjectEntity>({ path }, { tags });
  const kinds = useDatabaseKinds();
  const [isAdding, setAdding] = useState(false);
  const [edited, setEdited] = useState<BaseEntity>();
  const error = whole.error ?? kinds.error;
  const bases = whole.data?.bases ?? [];
  const list = kinds.data?.list ?? [];
  const may = (permission: string) => hasPermission(permission, project);

  function changed() {
    host.invalidate([...tags, 'projects', `tables:${project.id}`]);
  }

  async function remove(base: BaseEntity) {
    const name = nameOfDatabase(base, t);
    const path = `${basePath(project.id, base.id)}/connection`;
    const file = await host.api.request<Connection>({ path }).then(
      ({ settings }) => settings.file,
      () => undefined,
    );
    const isSent = typeof file === 'string' && isSentFile(file);
    const agreed = await host.confirm({
      title: t('Take {{database}} out of the project?', { database: name }),
      message: isSent
        ? t(
            'Its tables disappear here for everybody at once, and their views and settings are gone for good. The file was sent to this server and is deleted with them.',
          )
        : t(
            'Its tables disappear here for everybody at once, and their views and settings are gone for good. The database itself stays as it is.',
          ),
      confirmLabel: t('Take out'),
      danger: true,
      typeToConfirm: project.title,
    });
    if (!agreed) return;
    try {
      await host.api.request({ method: 'DELETE', path: basePath(project.id, base.id) });
      host.toast({ severity: 'success', summary: t('{{database}} was taken out', { database: name }) });
    } catch (failure) {
      host.toast({
        severity: 'error',
        summary: t('The database could not be taken out'),
        detail: messageOfError(failure, t),
        life: 8000,
      });
    }
    changed();
  }

  return (
    <section className="tr-page">
      <PageHead title={t('Databases')}>
        {may('baseCreate') && list.length > 0 && (
          <button type="button" className="tr-button tr-button--primary" onClick={() => setAdding(true)}>
            <i className="pi pi-plus" aria-hidden="true" /> {t('Add a database')}
          </button>
        )}
      </PageHead>
      {error && <ErrorNotice message={error.message} onRetry={whole.error ? whole.refetch : kinds.refetch} />}
      {!error && (whole.isLoading || kinds.isLoading) && <Skeleton height={68} count={2} />}
      <ul className="projects-databases">
        {whole.data &&
          kinds.data &&
          bases.map((base) => (
            <DatabaseItem
              key={base.id}
              base={base}
              name={nameOfDatabase(base, t)}
              onEdit={may('baseUpdate') && !base.is_meta ? () => setEdited(base) : undefined}
              onRemove={
                may('baseDelete') && !base.is_meta && bases.length > 1 ? () => void remove(base) : undefined
              }
            />
          ))}
      </ul>
      {isAdding && (
        <AddDatabaseDialog project={project} kinds={list} onDone={changed} onClose={() => setAdding(false)} />
      )}
      {edited && (
        <EditDatabaseDialog
          project={project}
          base={edited}
          kinds={list}
          onDone={changed}
          onClose={() => setEdited(undefined)}
        />
      )}
    </section>
  );
}
