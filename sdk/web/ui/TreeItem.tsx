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

/** One thing of a list in the side bar. @public */
export interface TreeItemProps {
  /** A name of the icon font without its prefix, or an emoji. */
  readonly icon: string;
  readonly title: string;
  /** Whether it is the one that the page shows. */
  readonly isActive: boolean;
  /** Undefined for what is listed and not opened. */
  readonly onOpen: (() => void) | undefined;
  /** Its menu, which a right click opens too; without entries there is none. */
  readonly menu: {
    readonly label: string;
    /** Of the button that opens it: "Actions for Orders". */
    readonly buttonLabel: string;
    readonly actions: readonly MenuAction[];
  };
  /** Behind the title. */
  readonly sign?: ReactNode;
  /** Undefined for whoever may not rename it. A double click and F2 begin, Enter and leaving the field end it, Escape changes nothing. */
  readonly rename?: TreeItemRename;
  /** From `useSortable`, where it can be dragged. */
  readonly sortable?: {
    readonly row: HTMLAttributes<HTMLLIElement> & RefAttributes<HTMLLIElement>;
    readonly press: HTMLAttributes<HTMLElement>;
    /** Shows a grip to fingers, for which a press on the line scrolls the list. */
    readonly handle?: HTMLAttributes<HTMLElement>;
  };
  /** What stands under it, once somebody opens it. */
  readonly branch?: {
    readonly label: string;
    readonly isOpen: boolean;
    readonly onToggle: () => void;
    readonly children: ReactNode;
  };
}

/** How a line is renamed in place. @public */
export interface TreeItemRename {
  readonly label: string;
  readonly isRunning: boolean;
  readonly onStart: () => void;
  /**
   * Gives it another name, which is neither empty nor the old one. Resolves to whether that was done; a name that was refused stays in its
   * field. It tells why by itself.
   */
  readonly onName: (title: string) => Promise<boolean>;
  readonly onEnd: () => void;
}

/** A line of a list in the side bar: opened by a click, with a menu, renamed in place, dragged, with things of its own under it. @public */
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
  /** Whether the name is on its way, or needs no more. */
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
        // It is for the name alone, and not for what the tree lies in.
        event.preventDefault();
        end();
      }}
    />
  );
}
