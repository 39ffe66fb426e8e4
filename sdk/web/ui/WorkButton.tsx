import type { ComponentProps, MouseEvent, ReactNode } from 'react';

/** A button whose work a person waits for. @public */
export interface WorkButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'onClick'> {
  /** Whether the work goes on; presses do nothing then. */
  readonly isBusy: boolean;
  /** Whether the work is that of this button and not of one beside it: it shows so. Default: no. */
  readonly isOwn?: boolean;
  onClick(this: void, event: MouseEvent<HTMLButtonElement>): void;
}

/**
 * Begins work, and is not disabled while it goes on: a disabled button loses the focus and the keys with it, and whoever looks elsewhere
 * finds them at the top of the page.
 *
 * @public
 */
export function WorkButton({
  isBusy,
  isOwn = false,
  onClick,
  className = 'tr-button',
  children,
  ...props
}: WorkButtonProps): ReactNode {
  return (
    <button
      {...props}
      type="button"
      className={className}
      aria-disabled={isBusy}
      onClick={(event) => {
        if (!isBusy) onClick(event);
      }}
    >
      {isBusy && isOwn && <i className="pi pi-spin pi-spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}
