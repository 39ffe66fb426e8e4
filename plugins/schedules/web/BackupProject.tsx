import type { ProjectEntity } from '@trellis/sdk/shared';
import { useHost } from '@trellis/sdk/web';
import { FileDrop, Form, Notice, Progress } from '@trellis/sdk/web/ui';
import { RestoreForm } from './RestoreForm.tsx';
import { useSentBackup } from './restore-requests.ts';

/** Creates a project from an uploaded backup. */
export default function BackupProject(props: {
  readonly onDone: (project: ProjectEntity) => void;
  readonly onCancel: () => void;
}) {
  const { onDone, onCancel } = props;
  const { t } = useHost();
  const { sent, send, stop } = useSentBackup();
  if (sent.kind === 'sent') return <RestoreForm ready={sent.restore} onDone={onDone} onCancel={onCancel} />;
  if (sent.kind === 'sending') {
    const isRead = sent.part >= 1;
    const label = isRead
      ? t('{{name}} is being read …', { name: sent.name })
      : t('{{name}} is being sent …', { name: sent.name });
    return (
      <div className="schedules-restoring">
        <p role="status">{label}</p>
        <Progress label={label} value={isRead ? undefined : Math.round(sent.part * 100)} />
        <button type="button" className="tr-action" onClick={stop}>
          <i className="pi pi-ban" aria-hidden="true" /> {t('Do not send it')}
        </button>
      </div>
    );
  }
  return (
    <Form
      submitLabel={t('Restore')}
      isBusy={false}
      canSubmit={false}
      onSubmit={() => undefined}
      onCancel={onCancel}
    >
      <FileDrop
        label={t('Backup of a project')}
        accept=".zip,application/zip"
        hint={t('or drop the ZIP file of a backup here. Schedules make them: see "Crons" in a project.')}
        problem={sent.problem !== undefined && <Notice severity="error">{sent.problem}</Notice>}
        onChoose={(file) => void send(file)}
      />
    </Form>
  );
}
