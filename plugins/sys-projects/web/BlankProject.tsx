import type { ProjectEntity } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';
import { useState, type FormEvent } from 'react';
import { titleProblem } from './project-title.ts';
import { ProjectForm } from './ProjectForm.tsx';
import { useCreateProject } from './use-create-project.ts';

/** A project with nothing in it. */
export default function BlankProject(props: {
  readonly onDone: (project: ProjectEntity) => void;
  readonly onCancel: () => void;
}) {
  const t = useT();
  const [title, setTitle] = useState('');
  const [isChecked, setChecked] = useState(false);
  const { create, problem, isCreating } = useCreateProject(props.onDone);
  const wrong = titleProblem(title);

  function submit(event: FormEvent) {
    event.preventDefault();
    setChecked(true);
    if (wrong === undefined) void create({ title: title.trim() });
  }

  return (
    <ProjectForm
      submitLabel={isCreating ? t('Creating …') : t('Create project')}
      isBusy={isCreating}
      problem={problem ?? (isChecked && wrong ? t(wrong) : undefined)}
      onSubmit={submit}
      onCancel={props.onCancel}
    >
      <label className="tr-field">
        <span>{t('Project name')}</span>
        <input
          className="p-inputtext p-component"
          value={title}
          maxLength={60}
          autoFocus
          onChange={(event) => setTitle(event.target.value)}
        />
      </label>
    </ProjectForm>
  );
}
