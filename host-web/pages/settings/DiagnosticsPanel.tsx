import { useT } from '@trellis/sdk/web';
import { Empty, pageLanguage } from '@trellis/sdk/web/ui';
import { usePageParts } from '../parts.ts';
import { useObservable } from '../../base/use-observable.ts';

/** The failures contained in this page, newest first; for the super admin. */
export function DiagnosticsPanel() {
  const t = useT();
  const { diagnostics } = usePageParts();
  const items = useObservable(diagnostics.onDidAdd, () => diagnostics.list());
  if (items.length === 0) {
    return (
      <Empty
        icon="check"
        title={t('No problems')}
        text={t('Nothing has failed in this page since it was loaded.')}
      />
    );
  }
  return (
    <ul className="tr-diagnostics" aria-label={t('Problems')}>
      {items.map(({ pluginId, where, message, time }, index) => (
        <li key={`${time} ${index}`}>
          <strong>{pluginId}</strong> <small>{where}</small>
          <div>{message}</div>
          <small>{new Date(time).toLocaleTimeString(pageLanguage())}</small>
        </li>
      ))}
    </ul>
  );
}
