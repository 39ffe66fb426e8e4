import type { ProjectEntity } from '@trellis/sdk/shared';
import { messageOfRefusal, useAttempt, useHost } from '@trellis/sdk/web';
import { Form, momentWords, Notice, pageLanguage, Progress, TextField } from '@trellis/sdk/web/ui';
import { useEffect, useEffectEvent, useState } from 'react';
import type { RestoreEntity } from '../shared/index.ts';
import { useRestore } from './restore-requests.ts';

const longestTitle = 50;

/** Creates a project from a backup that the server has read, and shows the progress. */
export function RestoreForm(props: {
  readonly ready: RestoreEntity;
  readonly onDone: (project: ProjectEntity) => void;
  readonly onCancel: () => void;
}) {
  const { ready, onDone, onCancel } = props;
  const { api, t, invalidate } = useHost();
  const { restore, start, cancel } = useRestore(ready);
  const { isBusy, problem, attempt } = useAttempt();
  const [title, setTitle] = useState(() =>
    t('{{title}} (restored)', { title: ready.about.title }).slice(0, longestTitle),
  );
  const { state, notes, project_id: projectId } = restore;
  const isRunning = state === 'running';

  const open = () =>
    attempt(async () => {
      const path = `/api/v1/db/meta/projects/${encodeURIComponent(projectId ?? '')}`;
      onDone(await api.request<ProjectEntity>({ path }));
    });
  const didEnd = useEffectEvent(() => {
    invalidate(['projects']);
    if (state === 'done' && notes.length === 0) void open();
  });
  useEffect(() => {
    if (state !== 'ready' && state !== 'running') didEnd();
  }, [state]);

  if (isRunning) return <Running restore={restore} onStop={() => void attempt(cancel)} />;
  if (state === 'done')
    return (
      <Form
        submitLabel={t('Open the project')}
        isBusy={isBusy}
        problem={problem}
        onSubmit={() => void open()}
      >
        <p>{t('The project is restored.')}</p>
        {notes.length > 0 && <Notes notes={notes} />}
      </Form>
    );
  if (state === 'failed' || state === 'cancelled')
    return (
      <Form submitLabel={t('Close')} isBusy={false} onSubmit={onCancel}>
        <Notice severity={state === 'failed' ? 'error' : 'info'}>
          {restore.message === null
            ? t('The restore was stopped. The project that it began was deleted.')
            : t('{{reason}} The project that the restore began was deleted.', {
                reason: messageOfRefusal(restore.message, t),
              })}
        </Notice>
      </Form>
    );
  return (
    <Form
      submitLabel={t('Restore')}
      busyLabel={t('Beginning …')}
      isBusy={isBusy}
      canSubmit={title.trim() !== '' && title.trim().length <= longestTitle}
      problem={problem}
      onSubmit={() => void attempt(() => start(title.trim()))}
      onCancel={onCancel}
    >
      <About about={ready.about} />
      <TextField
        label={t('Name of the new project')}
        value={title}
        maxLength={longestTitle}
        onChange={setTitle}
      />
      <p className="schedules-hint">
        {t(
          'It becomes a project of yours alone. Members, automations, webhooks, comments and shared links are not in backups.',
        )}
      </p>
    </Form>
  );
}

function About({ about }: Pick<RestoreEntity, 'about'>) {
  const { t } = useHost();
  const number = new Intl.NumberFormat(pageLanguage());
  return (
    <p className="schedules-about">
      <strong>{about.title}</strong>
      <small>{momentWords(about.made_at)}</small>
      <small>
        {t('{{number}} tables', {
          count: about.tables,
          number: number.format(about.tables),
          one: 'one table',
        })}{' '}
        · {t('{{number}} rows', { count: about.rows, number: number.format(about.rows), one: 'one row' })} ·{' '}
        {t('{{number}} files', { count: about.files, number: number.format(about.files), one: 'one file' })}
      </small>
    </p>
  );
}

function Running({ restore, onStop }: { readonly restore: RestoreEntity; readonly onStop: () => void }) {
  const { t } = useHost();
  const { done = 0, total = 0 } = restore.progress ?? {};
  const number = new Intl.NumberFormat(pageLanguage());
  const label = t('The project is being restored …');
  return (
    <div className="schedules-restoring">
      <p role="status">{label}</p>
      <Progress
        label={label}
        value={done === 0 || total === 0 ? undefined : Math.round((100 * done) / total)}
        text={t('{{done}} of {{total}} rows', { done: number.format(done), total: number.format(total) })}
      />
      <p className="schedules-hint">
        {t('You can close this: it goes on, and the tasks of the new project show how far it is.')}
      </p>
      <button type="button" className="tr-action" onClick={onStop}>
        <i className="pi pi-ban" aria-hidden="true" /> {t('Stop the restore')}
      </button>
    </div>
  );
}

function Notes({ notes }: Pick<RestoreEntity, 'notes'>) {
  const { t } = useHost();
  return (
    <Notice severity="warn">
      {t('Some of the backup could not be restored:')}
      <ul className="schedules-notes">
        {notes.map((note) => (
          <li key={JSON.stringify(note)}>{messageOfRefusal(note, t)}</li>
        ))}
      </ul>
    </Notice>
  );
}
