import type { ProjectEntity } from '@trellis/sdk/shared';
import { useAttempt, useHost } from '@trellis/sdk/web';
import { Dialog, Form, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { longestTitle, titleProblem } from './project-title.ts';

export function RenameDialog({
  project,
  onClose,
}: {
  readonly project: ProjectEntity;
  readonly onClose: () => void;
}) {
  const host = useHost();
  const { t } = host;
  const [title, setTitle] = useState(project.title);
  const { isBusy, problem, setProblem, attempt } = useAttempt();

  async function submit() {
    const wrong = titleProblem(title);
    if (wrong !== undefined) return setProblem(t(wrong));
    const path = `/api/v1/db/meta/projects/${encodeURIComponent(project.id)}`;
    const body = { title: title.trim() };
    if (!(await attempt(() => host.api.request({ method: 'PATCH', path, body })))) return;
    host.invalidate(['projects', `project:${project.id}`]);
    onClose();
  }

  return (
    <Dialog title={t('Rename project')} isBusy={isBusy} onClose={onClose}>
      <Form
        submitLabel={t('Rename')}
        isBusy={isBusy}
        problem={problem}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        <TextField
          label={t('Project name')}
          value={title}
          maxLength={longestTitle}
          autoFocus
          selectOnFocus
          onChange={setTitle}
        />
      </Form>
    </Dialog>
  );
}
