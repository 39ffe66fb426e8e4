import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useSharedT } from '../host.tsx';
import { Icon } from './Icon.tsx';
import { Popover } from './Popover.tsx';

/** The props of a toolbar button with a panel. @public */
export interface PopoverButtonProps {
  /** A name of the icon font without its prefix, or an emoji. */
  readonly icon: string;
  readonly label: string;
  /** The number of active items; shown beside the label if it is not 0. */
  readonly count?: number;
  /** Shows only the icon, with the count at its corner. */
  readonly compact?: boolean;
  /** The button's name for screen readers. Default: the label. */
  readonly description?: string;
  /** The heading of the panel, if the label is the choice in it: an arrow then shows that there are others. */
  readonly heading?: string;
  /** A new object opens the panel, for people who are sent to it from elsewhere. */
  readonly opens?: object;
  /** The panel's content. */
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a panel with its name above it. @public */
export function PopoverButton(props: PopoverButtonProps): ReactNode {
  const { icon, label, description, count = 0, compact = false, heading, opens, children } = props;
  const name = description ?? (compact ? label : undefined);
  const t = useSharedT();
  /** The anchor of the panel; none while it is closed. */
  const [anchor, setAnchor] = useState<HTMLElement>();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (opens !== undefined) setAnchor(button.current ?? undefined);
  }, [opens]);
  const [close] = useState(() => () => setAnchor(undefined));
  return (
    <>
      <button
        ref={button}
        type="button"
        className={compact ? 'tr-icon-button' : 'tr-tool'}
        data-active={count > 0}
        aria-label={name}
        title={name}
        aria-haspopup="dialog"
        aria-expanded={anchor !== undefined}
        onClick={(event) => setAnchor(anchor === undefined ? event.currentTarget : undefined)}
      >
        <Icon name={icon} />
        {!compact && <span>{label}</span>}
        {heading !== undefined && <i className="pi pi-angle-down" aria-hidden="true" />}
        {count > 0 && <span className="tr-count">{count}</span>}
      </button>
      {anchor !== undefined && (
        <Popover label={heading ?? label} anchor={anchor} onClose={close}>
          <header className="tr-popover-head">
            <h2>{heading ?? label}</h2>
            <button
              type="button"
              className="tr-icon-button tr-icon-button--small"
              aria-label={t('Close')}
              onClick={close}
            >
              <i className="pi pi-times" aria-hidden="true" />
            </button>
          </header>
          {children(close)}
        </Popover>
      )}
    </>
  );
}
