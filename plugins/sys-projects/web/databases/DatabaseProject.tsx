import type { ProjectEntity } from '@trellis/sdk/shared';
import { useHost } from '@trellis/sdk/web';
import { ErrorNotice, Skeleton, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { longestTitle, titleProblem } from '../project-title.ts';
import { ConnectionForm } from './ConnectionForm.tsx';
import { isFileKind, testPath, useDatabaseKinds, type DatabaseKind } from './database-requests.ts';

/** Creates a project on a database of another server. */
export default function DatabaseProject(props: {
  readonly onDone: (project: ProjectEntity) => void;
  readonly onCancel: () => void;
}) {
  const kinds = useDatabaseKinds();
  if (kinds.error) return <ErrorNotice message={kinds.error.message} onRetry={kinds.refetch} />;
  if (kinds.data === undefined) return <Skeleton height={260} />;
  return <NewDatabaseProject {...props} kinds={kinds.data.list.filter((kind) => !isFileKind(kind))} />;
}

function NewDatabaseProject(props: {
  readonly kinds: readonly DatabaseKind[];
  readonly onDone: (project: ProjectEntity) => void;
  readonly onCancel: () => void;
}) {
  const { api, t, invalidate } = useHost();
  const [kind, ...others] = props.kinds;
  const [title, setTitle] = useState('');
  if (kind === undefined) return null;
  const wrong = titleProblem(title);
  return (
    <ConnectionForm
      kinds={[kind, ...others]}
      submitLabel={t('Create project')}
      busyLabel={t('Reading the tables …')}
      canSubmit={wrong === undefined}
      testOf={(body) => ({ path: testPath, body })}
      onSubmit={async (database) => {
        const body = { title: title.trim(), external: true, bases: [database] };
        const project = await api.request<ProjectEntity>({
          method: 'POST',
          path: '/api/v1/db/meta/projects',
          body,
        });
        invalidate(['projects']);
        props.onDone(project);
      }}
      onCancel={props.onCancel}
    >
      <TextField
        label={t('Project name')}
        value={title}
        maxLength={longestTitle}
        required
        autoFocus
        onChange={setTitle}
      />
    </ConnectionForm>
  );
}
