import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { Contribution, useContributions, useMenuActions, useT } from '@trellis/sdk/web';
import { TreeItem, type MenuAction, type TreeItemProps } from '@trellis/sdk/web/ui';

/** One table of the list, with plugins' items below it. */
export function TableItem(props: {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  /** The menu's entries, without those of plugins. */
  readonly actions: readonly MenuAction[];
  readonly sortable: TreeItemProps['sortable'];
  readonly isActive: boolean;
  readonly isRenaming: boolean;
  readonly canRename: boolean;
  /** Whether the items below it are shown. */
  readonly isUnfolded: boolean;
  readonly onFold: () => void;
  readonly onOpen: () => void;
  readonly onStartRename: () => void;
  readonly onRename: (title: string) => Promise<boolean>;
  readonly onEndRename: () => void;
}) {
  const { project, table } = props;
  const t = useT();
  const added = useMenuActions('table', { project, table });
  const branches = useContributions('tableBranches');
  const { title } = table;
  return (
    <TreeItem
      icon={table.type === 'view' ? 'eye' : 'table'}
      title={title}
      isActive={props.isActive}
      onOpen={props.onOpen}
      menu={{
        label: t('Table {{title}}', { title }),
        buttonLabel: t('Actions for {{title}}', { title }),
        actions: [...props.actions, ...added],
      }}
      rename={
        props.canRename
          ? {
              label: t('Table name'),
              isRunning: props.isRenaming,
              onStart: props.onStartRename,
              onName: props.onRename,
              onEnd: props.onEndRename,
            }
          : undefined
      }
      sortable={props.sortable}
      branch={
        branches.length > 0
          ? {
              label: t('Contents of {{title}}', { title }),
              isOpen: props.isUnfolded,
              onToggle: props.onFold,
              children: branches.map(({ id, Component }) => (
                <Contribution key={id} registry="tableBranches" id={id}>
                  <Component project={project} table={table} />
                </Contribution>
              )),
            }
          : undefined
      }
    />
  );
}
