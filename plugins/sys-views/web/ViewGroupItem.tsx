import { useT } from '@trellis/sdk/web';
import { TreeItem, type MenuAction, type TreeItemProps } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';
import type { ViewSection } from './view-sections.ts';

/** A group in the side bar, with its views below it; the last one contains the ungrouped views. */
export function ViewGroupItem(props: {
  readonly section: ViewSection;
  readonly isFolded: boolean;
  readonly onFold: () => void;
  readonly actions: readonly MenuAction[];
  readonly rename: TreeItemProps['rename'];
  readonly sortable: TreeItemProps['sortable'];
  readonly children: ReactNode;
}) {
  const t = useT();
  const { group } = props.section;
  const title = group?.title ?? t('Without a group');
  const label = group ? t('Group {{title}}', { title }) : title;
  return (
    <TreeItem
      icon={props.isFolded ? 'folder' : 'folder-open'}
      title={title}
      isActive={false}
      onOpen={props.onFold}
      menu={{ label, buttonLabel: t('Actions for {{title}}', { title }), actions: props.actions }}
      sign={
        props.isFolded && (
          <small className="tr-note" aria-hidden="true">
            {props.section.views.length}
          </small>
        )
      }
      rename={props.rename}
      sortable={props.sortable}
      branch={{
        label,
        isOpen: !props.isFolded,
        onToggle: props.onFold,
        children: <ul aria-label={label}>{props.children}</ul>,
      }}
    />
  );
}
