import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { useMenuActions, useT } from '@trellis/sdk/web';
import { ActionMenu, MenuButton, type MenuAction } from '@trellis/sdk/web/ui';
import { useState, type HTMLAttributes } from 'react';

/** One table of the list; a double click, F2 or its menu renames it in place. */
export function TableItem(props: {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  /** What its menu holds beside the entries of plugins. */
  readonly actions: readonly MenuAction[];
  /** Lets it be dragged to another place. */
  readonly sortable: HTMLAttributes<HTMLLIElement> | undefined;
  readonly isActive: boolean;
  readonly isRenaming: boolean;
  readonly canRename: boolean;
  readonly onOpen: () => void;
  readonly onStartRename: () => void;
  readonly onRename: (title: string) => void;
}) {
  const { table, canRename } = props;
  const t = useT();
  const added = useMenuActions('table', { project: props.project, table });
  const [menu, setMenu] = useState<{ readonly x: number; readonly y: number }>();
  const label = t('Table {{title}}', { title: table.title });
  if (props.isRenaming) {
    return (
      <li>
        <input
          className="tr-text-input"
          defaultValue={table.title}
          aria-label={t('Table name')}
          autoFocus
          onFocus={(event) => event.currentTarget.select()}
          onBlur={(event) => props.onRename(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur();
            if (event.key === 'Escape') props.onRename(table.title);
          }}
        />
      </li>
    );
  }
  const actions = [...props.actions, ...added];
  return (
    <li
      className="tr-tree-item"
      {...props.sortable}
      onContextMenu={(event) => {
        if (actions.length === 0) return;
        event.preventDefault();
        setMenu({ x: event.clientX, y: event.clientY });
      }}
    >
      <button
        type="button"
        className="tr-item"
        aria-current={props.isActive ? 'page' : undefined}
        title={table.title}
        onClick={props.onOpen}
        onDoubleClick={() => {
          if (canRename) props.onStartRename();
        }}
        onKeyDown={(event) => {
          if (canRename && event.key === 'F2') props.onStartRename();
        }}
      >
        <i className={table.type === 'view' ? 'pi pi-eye' : 'pi pi-table'} aria-hidden="true" />
        <span>{table.title}</span>
      </button>
      <MenuButton
        className="tr-icon-button tr-icon-button--small tr-tree-more"
        label={t('Actions for {{title}}', { title: table.title })}
        menuLabel={label}
        actions={actions}
      />
      {menu && <ActionMenu label={label} actions={actions} {...menu} onClose={() => setMenu(undefined)} />}
    </li>
  );
}
