import type { ProjectEntity } from '@trellis/sdk/shared';
import { useShell, useT } from '@trellis/sdk/web';
import { MenuButton } from '@trellis/sdk/web/ui';
import { useProjectActions } from './use-project-actions.ts';

/** The menu of the open project, beside its name; absent while no plugin has anything for it. */
export default function ProjectMenu() {
  const { project } = useShell().context;
  return project === undefined ? null : <OpenProjectMenu project={project} />;
}

function OpenProjectMenu({ project }: { readonly project: ProjectEntity }) {
  const t = useT();
  const actions = useProjectActions(project);
  return (
    <MenuButton
      label={t('Menu of {{title}}', { title: project.title })}
      menuLabel={t('Project {{title}}', { title: project.title })}
      icon="chevron-down"
      actions={actions}
    />
  );
}
