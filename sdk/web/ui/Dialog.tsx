import { Dialog as PrimeDialog } from 'primereact/dialog';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useReturnFocus } from './use-return-focus.ts';

/** A dialog in the middle of the page. @public */
export interface DialogProps {
  readonly title: string;
  /** Pixels. Default: as wide as a form. */
  readonly width?: number;
  readonly className?: string;
  /** Whether a press outside closes it. Default: no, because what was typed would be lost. */
  readonly dismissable?: boolean;
  /** Whether something is under way whose answer must be seen: nothing closes it meanwhile. Default: no. */
  readonly isBusy?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Keeps everything else out of reach until it is closed. What has `autoFocus` in it begins; the focus returns at the end. @public */
export function Dialog(props: DialogProps): ReactNode {
  const {
    title,
    width = 480,
    className = '',
    dismissable = false,
    isBusy = false,
    onClose,
    children,
  } = props;
  return (
    <PrimeDialog
      visible
      modal
      draggable={false}
      resizable={false}
      header={title}
      className={`tr-dialog ${className}`}
      style={{ width }}
      dismissableMask={dismissable}
      focusOnShow={false}
      onHide={() => {
        if (!isBusy) onClose();
      }}
    >
      <Content>{children}</Content>
    </PrimeDialog>
  );
}

function Content({ children }: { readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useReturnFocus(box);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || element.contains(document.activeElement)) return;
    element.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
  }, []);
  return <div ref={box}>{children}</div>;
}
