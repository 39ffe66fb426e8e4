import type { PluginEntity } from '@trellis/sdk/shared';
import { unregisteredItems, useHost } from '@trellis/sdk/web';

const stateLabels: Readonly<Record<PluginEntity['state'], string>> = {
  discovered: 'New',
  disabled: 'Off',
  starting: 'Starting',
  enabled: 'On',
  incompatible: 'Incompatible',
  failed: 'Failed',
  degraded: 'Degraded',
  missing: 'Missing',
};

/** What to do about a plugin in this state, where its reason does not say it. */
const waysOut: Partial<Record<PluginEntity['state'], string>> = {
  failed: 'Mend what it says, or update the plugin, and switch it on again.',
  missing: 'Its files are gone from the server. What people made with it is kept until they are back.',
};

/** What is wrong with a plugin, and what to do about it. */
export function PluginTrouble(props: {
  readonly plugin: PluginEntity;
  readonly isBusy: boolean;
  readonly isLocked: boolean;
  readonly onEnable: () => void;
}) {
  const { plugin } = props;
  const host = useHost();
  const { t } = host;
  const wayOut = waysOut[plugin.state];
  const missing = unregisteredItems(host, plugin).map(({ registry, id }) =>
    t(
      "Its manifest promises '{{id}}' in {{registry}}, which its page half does not register; update it, or tell its author.",
      { id, registry },
    ),
  );
  const notices = [...plugin.notices, ...missing];
  return (
    <>
      {plugin.state === 'degraded' ? (
        <div className="store-reason" role="status">
          <p>
            <strong>{t('Degraded')}.</strong>{' '}
            {t('Parts of it failed too often and are out of service; the rest goes on:')}
          </p>
          <ul>
            {plugin.suspended.map((part) => (
              <li key={part}>{part}</li>
            ))}
          </ul>
          {plugin.errors[0] && (
            <p>{t('The last error: {{message}}', { message: plugin.errors[0].message })}</p>
          )}
          <p>
            {t('If they fail again, update the plugin or tell its author what the errors below say.')}{' '}
            {t('Nothing that people made with it is lost.')}
          </p>
          {!props.isLocked && (
            <button type="button" className="tr-button" disabled={props.isBusy} onClick={props.onEnable}>
              {t('Put them back into service')}
            </button>
          )}
        </div>
      ) : (
        plugin.reason !== undefined && (
          <div className="store-reason" role="status">
            <p>
              <strong>{t(stateLabels[plugin.state])}.</strong> {plugin.reason}
            </p>
            {wayOut && <p>{t(wayOut)}</p>}
          </div>
        )
      )}
      {notices.length > 0 && (
        <ul className="store-notices" aria-label={t('Notices')}>
          {notices.map((notice) => (
            <li key={notice}>{notice}</li>
          ))}
        </ul>
      )}
    </>
  );
}
