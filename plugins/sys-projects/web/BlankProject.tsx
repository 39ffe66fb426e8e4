import type { ProjectEntity } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';
import { Form, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { longestTitle, titleProblem } from './project-title.ts';
import { useCreateProject } from './use-create-project.ts';

/** Creates an empty project. */
export default function BlankProject(props: {
  readonly onDone: (project: ProjectEntity) => void;
  readonly onCancel: () => void;
}) {
  const t = useT();
  const [title, setTitle] = useState('');
  const [isChecked, setChecked] = useState(false);
  const { create, problem, isCreating } = useCreateProject(props.onDone);
  const wrong = titleProblem(title);

  function submit() {
    setChecked(true);
    if (wrong === undefined) void create({ title: title.trim() });
  }

  return (
    <Form
      submitLabel={t('Create project')}
      busyLabel={t('Creating …')}
      isBusy={isCreating}
      problem={problem ?? (isChecked && wrong !== undefined ? t(wrong) : undefined)}
      onSubmit={submit}
      onCancel={props.onCancel}
    >
      <TextField
        label={t('Project name')}
        value={title}
        maxLength={longestTitle}
        autoFocus
        onChange={setTitle}
      />
    </Form>
  );
}
