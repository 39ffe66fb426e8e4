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
 * The menu of a project: what its people may do with the whole of it, and between that what plugins add, the tabs of its dashboard that
 * belong to no object and entries of their own.
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
