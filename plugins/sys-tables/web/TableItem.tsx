import type { TableEntity } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';

/** One table of the list; a double click, F2 or its menu renames it in place. */
export function TableItem(props: {
  readonly table: TableEntity;
  readonly isActive: boolean;
  readonly isRenaming: boolean;
  readonly canManage: boolean;
  readonly onOpen: () => void;
  readonly onMenu: (x: number, y: number, opener: HTMLElement) => void;
  readonly onStartRename: () => void;
  readonly onRename: (title: string) => void;
  readonly onDragStart: () => void;
  readonly onDrop: () => void;
}) {
  const { table, canManage } = props;
  const t = useT();
  if (props.isRenaming) {
    return (
      <li>
        <input
          className="tables-rename"
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
  return (
    <li
      className={props.isActive ? 'tables-item tables-item--active' : 'tables-item'}
      draggable={canManage}
      onDragStart={props.onDragStart}
      onDragOver={(event) => event.preventDefault()}
      onDrop={props.onDrop}
      onContextMenu={(event) => {
        if (!canManage) return;
        event.preventDefault();
        const opener = event.currentTarget.querySelector('button');
        if (opener) props.onMenu(event.clientX, event.clientY, opener);
      }}
    >
      <button
        type="button"
        className="tables-open"
        aria-current={props.isActive ? 'page' : undefined}
        title={table.title}
        onClick={props.onOpen}
        onDoubleClick={() => {
          if (canManage) props.onStartRename();
        }}
        onKeyDown={(event) => {
          if (canManage && event.key === 'F2') props.onStartRename();
        }}
      >
        <i className={table.type === 'view' ? 'pi pi-eye' : 'pi pi-table'} aria-hidden="true" />
        <span>{table.title}</span>
      </button>
      {canManage && (
        <button
          type="button"
          className="tr-icon-button tr-icon-button--small tables-more"
          aria-haspopup="menu"
          aria-label={t('Actions for {{title}}', { title: table.title })}
          onClick={(event) => {
            const { left, bottom } = event.currentTarget.getBoundingClientRect();
            props.onMenu(left, bottom, event.currentTarget);
          }}
        >
          <i className="pi pi-ellipsis-h" aria-hidden="true" />
        </button>
      )}
    </li>
  );
}
