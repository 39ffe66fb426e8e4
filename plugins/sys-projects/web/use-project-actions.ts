import type { ProjectEntity } from '@trellis/sdk/shared';
import { useContributions, useHost, useMenuActions, useShell } from '@trellis/sdk/web';
import type { MenuAction } from '@trellis/sdk/web/ui';

/** What plugins add to a project's menu: the tabs of its dashboard that belong to no object, and entries of their own. */
export function useProjectActions(project: ProjectEntity): readonly MenuAction[] {
  const { t, navigate } = useHost();
  const shell = useShell();
  const tabs = useContributions('dashboardTabs', ({ perObject }) => perObject !== true, { project });
  const added = useMenuActions('project', { project });
  return [
    ...tabs.map(({ id, label, icon }, index) => ({
      id: `tab ${id}`,
      label: t(label),
      icon,
      startsGroup: index === 0,
      run() {
        const tab = { type: id, key: id, name: t(label) };
        if (shell.context.project?.id === project.id) return shell.openTab(tab);
        const query = new URLSearchParams({ name: tab.name, dbalias: tab.key, type: tab.type });
        navigate(`/nc/${encodeURIComponent(project.id)}?${query.toString()}`);
      },
    })),
    ...added,
  ];
}
