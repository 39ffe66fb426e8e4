import type { ProjectEntity } from '@trellis/sdk/shared';
import { ApiError, useHost } from '@trellis/sdk/web';
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
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);

  async function submit() {
    const wrong = titleProblem(title);
    if (wrong !== undefined) return setProblem(t(wrong));
    setSaving(true);
    try {
      await host.api.request({
        method: 'PATCH',
        path: `/api/v1/db/meta/projects/${encodeURIComponent(project.id)}`,
        body: { title: title.trim() },
      });
      host.invalidate(['projects', `project:${project.id}`]);
      onClose();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : t('Some internal error occurred'));
      setSaving(false);
    }
  }

  return (
    <Dialog title={t('Rename project')} onClose={onClose}>
      <Form
        submitLabel={t('Rename')}
        isBusy={isSaving}
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
