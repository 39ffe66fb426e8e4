import type { ProjectEntity, TableEntity, ViewEntity } from '@trellis/sdk/shared';
import { useMenuActions, useShell, useT } from '@trellis/sdk/web';
import { TreeItem, type MenuAction, type TreeItemProps } from '@trellis/sdk/web/ui';
import { ModeSign } from './ModeSign.tsx';
import { useViewIcon } from './view-icon.ts';

/** One view in the side bar's list. */
export function ViewItem(props: {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly view: ViewEntity;
  readonly actions: readonly MenuAction[];
  readonly rename: TreeItemProps['rename'];
  readonly sortable: TreeItemProps['sortable'];
  readonly onOpen: () => void;
}) {
  const { project, table, view } = props;
  const t = useT();
  const { activeTab, context } = useShell();
  const iconOf = useViewIcon();
  const added = useMenuActions('view', { project, table, view });
  return (
    <TreeItem
      icon={iconOf(view)}
      title={view.title}
      isActive={activeTab?.type === 'table' && activeTab.key === table.id && context.view?.id === view.id}
      onOpen={props.onOpen}
      menu={{
        label: t('View {{title}}', { title: view.title }),
        buttonLabel: t('Actions for {{title}}', { title: view.title }),
        actions: [...props.actions, ...added],
      }}
      sign={<ModeSign view={view} />}
      rename={props.rename}
      sortable={props.sortable}
    />
  );
}
