import type { ProjectEntity } from '@trellis/sdk/shared';
import { ApiError, useHost } from '@trellis/sdk/web';
import { Dialog } from 'primereact/dialog';
import { useRef, useState, type FormEvent } from 'react';
import { titleProblem } from './project-title.ts';
import { ProjectForm } from './ProjectForm.tsx';
import { useReturnFocus } from './use-return-focus.ts';

export function RenameDialog({
  project,
  onClose,
}: {
  readonly project: ProjectEntity;
  readonly onClose: () => void;
}) {
  const host = useHost();
  const { t } = host;
  const input = useRef<HTMLInputElement>(null);
  useReturnFocus();
  const [title, setTitle] = useState(project.title);
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
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
    <Dialog
      visible
      modal
      draggable={false}
      resizable={false}
      header={t('Rename project')}
      className="projects-dialog"
      focusOnShow={false}
      onShow={() => input.current?.select()}
      onHide={onClose}
    >
      <ProjectForm
        submitLabel={t('Rename')}
        isBusy={isSaving}
        problem={problem}
        onSubmit={(event) => void submit(event)}
        onCancel={onClose}
      >
        <label className="tr-field">
          <span>{t('Project name')}</span>
          <input
            className="p-inputtext p-component"
            ref={input}
            value={title}
            maxLength={60}
            onChange={(event) => setTitle(event.target.value)}
          />
        </label>
      </ProjectForm>
    </Dialog>
  );
}
