import type { ProjectEntity } from '@trellis/sdk/shared';
import { useHost, useShell } from '@trellis/sdk/web';
import { MenuButton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { RenameDialog } from './RenameDialog.tsx';
import { useProjectActions } from './use-project-actions.ts';
import { useRemoveProject } from './use-remove-project.ts';

/** The open project's menu, next to its name; absent while it is empty. */
export default function ProjectMenu() {
  const { project } = useShell().context;
  return project === undefined ? null : <OpenProjectMenu key={project.id} project={project} />;
}

function OpenProjectMenu({ project }: { readonly project: ProjectEntity }) {
  const { navigate, t } = useHost();
  const [isRenaming, setRenaming] = useState(false);
  const remove = useRemoveProject();
  const actions = useProjectActions(project, {
    onRename: () => setRenaming(true),
    onDelete: () =>
      void remove(project).then((isGone) => {
        if (isGone) navigate('/projects');
      }),
  });
  return (
    <>
      <MenuButton
        label={t('Menu of {{title}}', { title: project.title })}
        menuLabel={t('Project {{title}}', { title: project.title })}
        icon="chevron-down"
        actions={actions}
      />
      {isRenaming && <RenameDialog project={project} onClose={() => setRenaming(false)} />}
    </>
  );
}
