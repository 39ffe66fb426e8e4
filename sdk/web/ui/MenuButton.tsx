import { type ReactNode, useState } from 'react';
import { ActionMenu, type MenuAction } from './ActionMenu.tsx';
import { isRightToLeft } from './page-language.ts';

/** The props of a button that opens a menu below itself. @public */
export interface MenuButtonProps {
  /** The name of the button, and of the menu unless `menuLabel` names it. */
  readonly label: string;
  readonly menuLabel?: string;
  /** A name of the icon font without its prefix. Default: three dots. */
  readonly icon?: string;
  readonly actions: readonly MenuAction[];
  /** Shown above the entries. */
  readonly header?: ReactNode;
  readonly className?: string;
  /** Shown on the button in place of the icon. */
  readonly children?: ReactNode;
}

/** Three dots, or another icon, with a menu. Not drawn without entries. @public */
export function MenuButton(props: MenuButtonProps): ReactNode {
  const { label, menuLabel, icon = 'ellipsis-h', actions, header, className, children } = props;
  const [place, setPlace] = useState<{ readonly x: number; readonly y: number }>();
  if (actions.length === 0) return null;
  return (
    <>
      <button
        type="button"
        className={className ?? 'tr-icon-button'}
        aria-haspopup="menu"
        aria-expanded={place !== undefined}
        aria-label={label}
        title={label}
        onClick={(event) => {
          const { left, right, bottom } = event.currentTarget.getBoundingClientRect();
          setPlace({ x: isRightToLeft() ? right : left, y: bottom + 4 });
        }}
      >
        {children ?? <i className={`pi pi-${icon}`} aria-hidden="true" />}
      </button>
      {place && (
        <ActionMenu
          label={menuLabel ?? label}
          header={header}
          actions={actions}
          {...place}
          onClose={() => setPlace(undefined)}
        />
      )}
    </>
  );
}
