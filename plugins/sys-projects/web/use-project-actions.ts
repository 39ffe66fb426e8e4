import type { ProjectEntity } from '@trellis/sdk/shared';
import {
  addressOfTab,
  hasPermission,
  useContributions,
  useHost,
  useMenuActions,
  useShell,
} from '@trellis/sdk/web';
import type { MenuAction } from '@trellis/sdk/web/ui';

/**
 * A project's menu: its people's actions on the project, and between them those of plugins: tabs of the dashboard that belong to no
 * object, and plugins' own entries.
 */
export function useProjectActions(
  project: ProjectEntity,
  own: { readonly onRename: () => void; readonly onDelete: () => void },
): readonly MenuAction[] {
  const { t, navigate } = useHost();
  const shell = useShell();
  const tabs = useContributions('dashboardTabs', ({ perObject }) => perObject !== true, { project });
  const added = useMenuActions('project', { project });
  return [
    ...(hasPermission('projectUpdate', project)
      ? [{ id: 'rename', label: t('Rename'), icon: 'pencil', run: own.onRename }]
      : []),
    ...tabs.map(({ id, label, icon }, index) => ({
      id: `tab ${id}`,
      label: t(label),
      icon,
      startsGroup: index === 0,
      run() {
        const tab = { type: id, key: id, name: t(label) };
        if (shell.context.project?.id === project.id) return shell.openTab(tab);
        navigate(addressOfTab(project.id, tab));
      },
    })),
    ...added,
    ...(hasPermission('projectDelete', project)
      ? [
          {
            id: 'delete',
            label: t('Delete'),
            icon: 'trash',
            danger: true,
            startsGroup: true,
            run: own.onDelete,
          },
        ]
      : []),
  ];
}
