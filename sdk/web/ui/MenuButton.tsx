import { type ReactNode, useState } from 'react';
import { ActionMenu, type MenuAction } from './ActionMenu.tsx';

/** A button that opens a menu under itself. @public */
export interface MenuButtonProps {
  /** The name of the button, and of the menu unless `menuLabel` names it. */
  readonly label: string;
  readonly menuLabel?: string;
  /** A name of the icon font without its prefix. Default: three dots. */
  readonly icon?: string;
  readonly actions: readonly MenuAction[];
  readonly className?: string;
}

/** Three dots, or another icon, with a menu. It is not drawn without entries. @public */
export function MenuButton({ label, menuLabel, icon, actions, className }: MenuButtonProps): ReactNode {
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
          const { left, bottom } = event.currentTarget.getBoundingClientRect();
          setPlace({ x: left, y: bottom + 4 });
        }}
      >
        <i className={`pi pi-${icon ?? 'ellipsis-h'}`} aria-hidden="true" />
      </button>
      {place && (
        <ActionMenu
          label={menuLabel ?? label}
          actions={actions}
          {...place}
          onClose={() => setPlace(undefined)}
        />
      )}
    </>
  );
}
