import { useT } from '@trellis/sdk/web';
import { Notice } from '@trellis/sdk/web/ui';
import { useObservable } from '../base/use-observable.ts';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import { useFeedbackParts } from './parts.ts';

/** The toasts at the lower edge of the page; screen readers announce them without moving the focus. */
export function Toasts() {
  const t = useT();
  const { toasts } = useFeedbackParts();
  const items = useObservable(toasts.onDidChange, () => toasts.list());
  return (
    <div className="tr-toasts" role="region" aria-label={t('Notifications')} aria-live="polite">
      <div className="tr-toasts-list">
        <ConnectionNotice />
        {items.map(({ id, severity, summary, detail, action }) => {
          const close = () => toasts.close(id);
          const run = () => {
            close();
            action?.run();
          };
          return (
            <Notice
              key={id}
              severity={severity}
              actions={action && [{ label: action.label, run }]}
              onClose={close}
            >
              <span>{summary}</span>
              {detail !== undefined && <small>{detail}</small>}
            </Notice>
          );
        })}
      </div>
    </div>
  );
}
