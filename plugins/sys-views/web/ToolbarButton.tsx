import { useT } from '@trellis/sdk/web';
import { useEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** A button of the toolbar that opens a panel under itself, or a sheet on a phone. */
export function ToolbarButton(props: {
  readonly icon: string;
  readonly label: string;
  /** How many of them there are; shown beside the label when it is not 0. */
  readonly count?: number;
  readonly children: (close: () => void) => ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const [place, setPlace] = useState<CSSProperties>({});
  const count = props.count ?? 0;

  function toggle(button: HTMLElement) {
    const { bottom, left } = button.getBoundingClientRect();
    setPlace({ top: bottom + 6, left: Math.max(8, Math.min(left, window.innerWidth - 480)) });
    setOpen(!isOpen);
  }

  function close() {
    setOpen(false);
  }

  return (
    <>
      <button
        type="button"
        className="views-button"
        data-active={count > 0}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={(event) => toggle(event.currentTarget)}
      >
        <i className={`pi pi-${props.icon}`} aria-hidden="true" />
        <span>{props.label}</span>
        {count > 0 && <span className="views-count">{count}</span>}
      </button>
      {isOpen && (
        <Panel label={props.label} place={place} onClose={close}>
          {props.children(close)}
        </Panel>
      )}
    </>
  );
}

function Panel(props: {
  readonly label: string;
  readonly place: CSSProperties;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { onClose } = props;
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    box.current?.querySelector<HTMLElement>('input, select, button')?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  useEffect(() => {
    // On the document: what had the focus may just have been removed.
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onClose]);
  return createPortal(
    <div className="views-layer">
      <div className="views-mask" role="presentation" onPointerDown={onClose} />
      <div ref={box} className="views-panel" style={props.place} role="dialog" aria-label={props.label}>
        <header className="views-panel-head">
          <h2>{props.label}</h2>
          <button
            type="button"
            className="tr-icon-button tr-icon-button--small"
            aria-label={t('Close')}
            onClick={onClose}
          >
            <i className="pi pi-times" aria-hidden="true" />
          </button>
        </header>
        {props.children}
      </div>
    </div>,
    document.body,
  );
}
