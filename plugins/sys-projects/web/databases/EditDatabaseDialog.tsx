import type { BaseEntity, ProjectEntity } from '@trellis/sdk/shared';
import { useHost, useServerData } from '@trellis/sdk/web';
import { Dialog, ErrorNotice, Skeleton, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { ConnectionForm } from './ConnectionForm.tsx';
import { basePath, type Connection, type DatabaseKind } from './database-requests.ts';

interface EditProps {
  readonly project: ProjectEntity;
  readonly base: BaseEntity;
  readonly kinds: readonly DatabaseKind[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Edits a database's name and connection. */
export function EditDatabaseDialog(props: EditProps) {
  const { t } = useHost();
  const path = `${basePath(props.project.id, props.base.id)}/connection`;
  const { data, error, refetch } = useServerData<Connection>(
    { path },
    { tags: [`project:${props.project.id}`], isDraft: true },
  );
  return (
    <Dialog title={t('Edit connection')} width={620} keepsInput onClose={props.onClose}>
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {!error && data === undefined && <Skeleton height={260} />}
      {data && <EditConnection {...props} connection={data} />}
    </Dialog>
  );
}

function EditConnection(props: EditProps & { readonly connection: Connection }) {
  const { api, t } = useHost();
  const { project, base, connection } = props;
  const [alias, setAlias] = useState(connection.alias ?? '');
  const kind = props.kinds.find(({ id }) => id === connection.type);
  if (kind === undefined) return null;
  const path = basePath(project.id, base.id);
  return (
    <ConnectionForm
      kinds={[kind]}
      saved={connection.settings}
      submitLabel={t('Save')}
      busyLabel={t('Connecting …')}
      testOf={({ settings }) => ({ path: `${path}/connection/test`, body: { settings } })}
      onSubmit={async ({ settings }) => {
        await api.request({ method: 'PATCH', path, body: { alias: alias.trim(), settings } });
        props.onDone();
        props.onClose();
      }}
      onCancel={props.onClose}
    >
      <TextField label={t('Name')} value={alias} maxLength={100} onChange={setAlias} />
    </ConnectionForm>
  );
}
