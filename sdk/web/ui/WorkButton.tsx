import type { ComponentProps, MouseEvent, ReactNode } from 'react';

/** The props of a button whose work a person waits for. @public */
export interface WorkButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'onClick'> {
  /** Whether the work is running; presses are then ignored. */
  readonly isBusy: boolean;
  /** Whether it is the work of this button, which then shows that, and not of another one. Default: no. */
  readonly isOwn?: boolean;
  onClick(this: void, event: MouseEvent<HTMLButtonElement>): void;
}

/**
 * Starts work, and is not disabled while it runs: a disabled button loses the focus, which would return to the top of the page.
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
