import type { ReactNode } from 'react';
import { useSharedT } from '../host.tsx';

/** The props of a notice. @public */
export interface NoticeProps {
  readonly severity: 'success' | 'info' | 'warn' | 'error';
  /** A name of the icon font without its prefix. Default: that of the severity. */
  readonly icon?: string;
  readonly children: ReactNode;
  /** Actions for it. */
  readonly actions?: readonly { readonly label: string; run(): void }[];
  /** How screen readers announce it. Default: an error at once, others when idle. */
  readonly role?: 'alert' | 'status';
  readonly onClose?: () => void;
}

const icons = {
  success: 'check-circle',
  info: 'info-circle',
  warn: 'exclamation-triangle',
  error: 'exclamation-circle',
} as const;

/** A line in a tinted box, beside its subject or as a toast. @public */
export function Notice(props: NoticeProps): ReactNode {
  const { severity, icon, children, actions = [], onClose } = props;
  const { role = severity === 'error' ? 'alert' : 'status' } = props;
  const t = useSharedT();
  return (
    <div className={`tr-notice tr-notice--${severity}`} role={role}>
      <i className={`pi pi-${icon ?? icons[severity]}`} aria-hidden="true" />
      <div className="tr-notice-text">{children}</div>
      {actions.map((action) => (
        <button key={action.label} type="button" className="tr-link" onClick={() => action.run()}>
          {action.label}
        </button>
      ))}
      {onClose !== undefined && (
        <button
          type="button"
          className="tr-icon-button tr-icon-button--small"
          aria-label={t('Close')}
          onClick={onClose}
        >
          <i className="pi pi-times" aria-hidden="true" />
        </button>
      )}
    </div>
  );
}
