import type { ProjectEntity } from '@trellis/sdk/shared';
import {
  hasPermission,
  objectsTag,
  type OpenTab,
  type ServerData,
  useAttempt,
  useHost,
  useServerData,
} from '@trellis/sdk/web';
import { ErrorNotice, Form, PageHead, Skeleton, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { longestNote, notePath, notesKind } from '../shared/index.ts';

interface NoteTabProps {
  readonly project: ProjectEntity;
  /** Its key is the table's id. */
  readonly tab: OpenTab;
}

/** The note about a table, to be read and, by whoever may change the table, to be written. */
export default function NoteTab({ project, tab }: NoteTabProps) {
  const path = notePath(tab.key);
  const { data, error, refetch }: ServerData<{ text: string }> = useServerData({ path });
  if (error !== undefined) return <ErrorNotice message={error.message} onRetry={refetch} />;
  return (
    <section className="tr-page">
      <PageHead title={tab.name} />
      {data === undefined && <Skeleton height={120} />}
      {data !== undefined &&
        (hasPermission('tableUpdate', project) ? (
          <NoteForm project={project} path={path} text={data.text} />
        ) : (
          <p>{data.text}</p>
        ))}
    </section>
  );
}

function NoteForm(props: { readonly project: ProjectEntity; readonly path: string; readonly text: string }) {
  const { project, path } = props;
  const { api, t, invalidate } = useHost();
  const { attempt, isBusy, problem } = useAttempt();
  const [text, setText] = useState(props.text);
  const save = async () => {
    await api.request({ method: 'PUT', path, body: { text } });
    invalidate([objectsTag(notesKind, project.id)]);
  };
  return (
    <Form
      submitLabel={t('Save')}
      isBusy={isBusy}
      problem={problem}
      canSubmit={text !== props.text}
      onSubmit={() => void attempt(save)}
    >
      <TextField label={t('Note')} value={text} lines={8} maxLength={longestNote} onChange={setText} />
    </Form>
  );
}
