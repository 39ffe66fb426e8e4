import {
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type RefAttributes,
  useRef,
  useState,
} from 'react';
import { ActionMenu, type MenuAction } from './ActionMenu.tsx';
import { Icon } from './Icon.tsx';
import { MenuButton } from './MenuButton.tsx';
import { isRightToLeft } from './page-language.ts';

/** The props of an item in a list of the side bar. @public */
export interface TreeItemProps {
  /** A name of the icon font without its prefix, or an emoji. */
  readonly icon: string;
  readonly title: string;
  /** Whether the page shows it. */
  readonly isActive: boolean;
  /** Undefined for an item that cannot be opened. */
  readonly onOpen: (() => void) | undefined;
  /** Its menu, which a right click also opens; absent without entries. */
  readonly menu: {
    readonly label: string;
    /** The name of its button: "Actions for Orders". */
    readonly buttonLabel: string;
    readonly actions: readonly MenuAction[];
  };
  /** After the title. */
  readonly sign?: ReactNode;
  /** Undefined if the person may not rename it. A double click and F2 start, Enter and leaving the field save, Escape cancels. */
  readonly rename?: TreeItemRename;
  /** From `useSortable`, if it can be dragged. */
  readonly sortable?: {
    readonly row: HTMLAttributes<HTMLLIElement> & RefAttributes<HTMLLIElement>;
    readonly press: HTMLAttributes<HTMLElement>;
    /** Shows a grip for fingers, whose press on the line scrolls the list. */
    readonly handle?: HTMLAttributes<HTMLElement>;
  };
  /** Its children, once it is unfolded. */
  readonly branch?: {
    readonly label: string;
    readonly isOpen: boolean;
    readonly onToggle: () => void;
    readonly children: ReactNode;
  };
}

/** How an item is renamed in place. @public */
export interface TreeItemRename {
  readonly label: string;
  readonly isRunning: boolean;
  readonly onStart: () => void;
  /**
   * Renames it; the name is neither empty nor the old one. Resolves to whether that succeeded; a refused name stays in its field.
   * It shows the reason itself.
   */
  readonly onName: (title: string) => Promise<boolean>;
  readonly onEnd: () => void;
}

/** An item in a list of the side bar: opened by a click, with a menu, renaming in place, dragging, and children. @public */
export function TreeItem(props: TreeItemProps): ReactNode {
  const { title, rename, sortable, branch, menu, onOpen } = props;
  const [menuAt, setMenuAt] = useState<{ readonly x: number; readonly y: number }>();

  function onKeyDown(event: KeyboardEvent): void {
    const [inwards, outwards] = isRightToLeft() ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
    if (event.key === 'F2') rename?.onStart();
    if (branch !== undefined && event.key === (branch.isOpen ? outwards : inwards)) branch.onToggle();
  }

  return (
    <li {...sortable?.row}>
      <div
        className="tr-tree-item"
        {...(rename?.isRunning === true ? undefined : sortable?.press)}
        onContextMenu={(event) => {
          if (menu.actions.length === 0) return;
          event.preventDefault();
          setMenuAt({ x: event.clientX, y: event.clientY });
        }}
      >
        {branch && (
          <button
            type="button"
            className="tr-tree-toggle"
            aria-expanded={branch.isOpen}
            aria-label={branch.label}
            title={branch.label}
            onClick={branch.onToggle}
          >
            <i className={`pi pi-chevron-${branch.isOpen ? 'down' : 'right'}`} aria-hidden="true" />
          </button>
        )}
        {rename?.isRunning === true ? (
          <NameField title={title} rename={rename} />
        ) : (
          <>
            <button
              type="button"
              className="tr-item"
              aria-current={props.isActive ? 'page' : undefined}
              disabled={onOpen === undefined}
              title={title}
              onClick={onOpen}
              onDoubleClick={rename?.onStart}
              onKeyDown={onKeyDown}
            >
              <Icon name={props.icon} />
              <span>{title}</span>
              {props.sign}
            </button>
            {sortable?.handle && (
              <span className="tr-grip tr-tree-grip" aria-hidden="true" {...sortable.handle}>
                <i className="pi pi-bars" />
              </span>
            )}
            <MenuButton
              className="tr-icon-button tr-icon-button--small tr-tree-more"
              label={menu.buttonLabel}
              menuLabel={menu.label}
              actions={menu.actions}
            />
          </>
        )}
        {menuAt && (
          <ActionMenu
            label={menu.label}
            actions={menu.actions}
            {...menuAt}
            onClose={() => setMenuAt(undefined)}
          />
        )}
      </div>
      {branch?.isOpen === true && <div className="tr-tree-branch">{branch.children}</div>}
    </li>
  );
}

function NameField({ title, rename }: { readonly title: string; readonly rename: TreeItemRename }) {
  const [isBusy, setBusy] = useState(false);
  const [isRefused, setRefused] = useState(false);
  /** Whether the name is being sent, or was cancelled. */
  const isTold = useRef(false);

  function end(): void {
    isTold.current = true;
    rename.onEnd();
  }

  async function take(field: HTMLInputElement): Promise<void> {
    const wanted = field.value.trim();
    if (isTold.current) return;
    if (wanted === '' || wanted === title) return end();
    isTold.current = true;
    setBusy(true);
    const isTaken = await rename.onName(wanted);
    if (isTaken) return rename.onEnd();
    isTold.current = false;
    setBusy(false);
    setRefused(true);
    if (document.activeElement === document.body) field.focus();
  }

  return (
    <input
      className="tr-text-input"
      defaultValue={title}
      aria-label={rename.label}
      aria-invalid={isRefused}
      aria-busy={isBusy}
      readOnly={isBusy}
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onChange={() => setRefused(false)}
      onBlur={(event) => void take(event.currentTarget)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') void take(event.currentTarget);
        if (event.key !== 'Escape') return;
        // The key is only for the name field, and not for the tree's container.
        event.preventDefault();
        end();
      }}
    />
  );
}
