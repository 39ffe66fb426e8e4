import { useT } from '@trellis/sdk/web';
import { useObservable } from '../base/use-observable.ts';
import { useFeedbackParts } from './parts.ts';

const icons = {
  success: 'check-circle',
  info: 'info-circle',
  warn: 'exclamation-triangle',
  error: 'times-circle',
};

/** The toasts at the lower edge of the page; screen readers hear them without losing their place. */
export function Toasts() {
  const t = useT();
  const { toasts } = useFeedbackParts();
  const items = useObservable(toasts.onDidChange, () => toasts.list());
  return (
    <div className="tr-toasts" role="region" aria-label={t('Notifications')} aria-live="polite">
      {items.map(({ id, severity, summary, detail, action }) => (
        <div
          key={id}
          className={`tr-toast tr-toast--${severity}`}
          role={severity === 'error' ? 'alert' : 'status'}
        >
          <i className={`pi pi-${icons[severity]}`} aria-hidden="true" />
          <div className="tr-toast-text">
            <span>{summary}</span>
            {detail !== undefined && <small>{detail}</small>}
          </div>
          {action !== undefined && (
            <button
              type="button"
              className="tr-toast-action"
              onClick={() => {
                toasts.close(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button
            type="button"
            className="tr-icon-button tr-icon-button--small"
            aria-label={t('Close')}
            onClick={() => toasts.close(id)}
          >
            <i className="pi pi-times" aria-hidden="true" />
          </button>
        </div>
      ))}
    </div>
  );
}
