import type { PluginEntity } from '@trellis/sdk/shared';
import { unregisteredItems, useHost, useT } from '@trellis/sdk/web';
import { Notice } from '@trellis/sdk/web/ui';
import { useId } from 'react';
import { partText } from './asked-words.ts';

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
  missing:
    'Its folder is gone from the server. What people made with it is kept: copy the folder back and look again, or remove what is left of it here.',
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
  const heading = useId();
  const wayOut = waysOut[plugin.state];
  const isIncomplete = plugin.suspended.length > 0;
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
        <Notice
          severity="warn"
          actions={
            props.isLocked || props.isBusy
              ? []
              : [
                  {
                    label: t(isIncomplete ? 'Put them back into service' : 'Mark as mended'),
                    run: props.onEnable,
                  },
                ]
          }
        >
          <p>
            <strong>{t('Degraded')}.</strong>
          </p>
          {isIncomplete && (
            <Parts
              text={t('Parts of it failed too often and are out of service; the rest goes on:')}
              parts={plugin.suspended}
            />
          )}
          {plugin.refusing.length > 0 && (
            <Parts
              text={t(
                'It failed too often where it must be asked. What it fails on is refused until it is updated or switched off:',
              )}
              parts={plugin.refusing}
            />
          )}
          {plugin.errors[0] && (
            <p>{t('The last error: {{message}}', { message: plugin.errors[0].message })}</p>
          )}
          <p>
            {t('If they fail again, update the plugin or tell its author what the errors below say.')}{' '}
            {t('Nothing that people made with it is lost.')}
          </p>
        </Notice>
      ) : (
        (plugin.reason !== undefined || plugin.state === 'missing') && (
          <Notice severity={plugin.state === 'failed' ? 'error' : 'warn'} role="status">
            <p>
              <strong>{t(stateLabels[plugin.state])}.</strong>
              {plugin.reason !== undefined && ` ${plugin.reason}`}
              {plugin.reason === undefined && wayOut && ` ${t(wayOut)}`}
            </p>
            {plugin.reason !== undefined && wayOut && <p>{t(wayOut)}</p>}
          </Notice>
        )
      )}
      {notices.length > 0 && (
        <Notice severity="warn">
          <p id={heading}>
            <strong>{t('This needs attention')}:</strong>
          </p>
          <ul aria-labelledby={heading}>
            {notices.map((notice) => (
              <li key={notice}>{notice}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

/** Parts of a plugin that failed too often, and what follows from it. */
function Parts({ text, parts }: { readonly text: string; readonly parts: readonly string[] }) {
  const t = useT();
  return (
    <>
      <p>{text}</p>
      <ul>
        {parts.map((part) => (
          <li key={part}>{partText(t, part)}</li>
        ))}
      </ul>
    </>
  );
}
