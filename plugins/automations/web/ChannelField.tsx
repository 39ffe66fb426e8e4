import type { AutomationSettings } from '@trellis/sdk/shared';
import { InWordsOf, useHost, useSession } from '@trellis/sdk/web';
import { Select } from '@trellis/sdk/web/ui';
import { useEffect, useEffectEvent } from 'react';
import type { KindsEntity } from '../shared/index.ts';

interface ChannelFieldProps {
  readonly label: string;
  readonly value: unknown;
  readonly channels: KindsEntity['channels'];
  /** Those of plugins that are switched off. */
  readonly off: KindsEntity['channels_off'];
  readonly onChange: (value: { readonly id: string; readonly settings: AutomationSettings }) => void;
}

/** The choice of a channel over which people are told, with what it asks for. */
export function ChannelField({ label, value, channels, off, onChange }: ChannelFieldProps) {
  const { t, SchemaForm } = useHost();
  const { id, settings = {} } = (value ?? {}) as {
    readonly id?: string;
    readonly settings?: AutomationSettings;
  };
  const channel = channels.find((of) => of.id === id);
  const isOff = id !== undefined && channel === undefined;
  const nameOff = off.find((of) => of.id === id)?.label ?? id ?? '';
  // What can be answered in one way alone needs no answer.
  const only = channels.length === 1 ? channels[0]?.id : undefined;
  const choose = useEffectEvent(onChange);
  useEffect(() => {
    if (only !== undefined && id === undefined) choose({ id: only, settings: {} });
  }, [only, id]);
  return (
    <>
      <label className="tr-field">
        <span>{label}</span>
        <Select<string>
          label={label}
          value={id ?? ''}
          options={[
            ...(id === undefined ? [{ value: '', label: t('Choose a channel …') }] : []),
            ...(isOff ? [{ value: id, label: t('{{channel}} (switched off)', { channel: nameOff }) }] : []),
            ...channels.map((of) => ({ value: of.id, label: of.label })),
          ]}
          onChange={(chosen) => {
            if (chosen !== id) onChange({ id: chosen, settings: {} });
          }}
        />
      </label>
      {isOff && <ChannelOff name={nameOff} />}
      {channels.length === 0 && !isOff && <NoChannel />}
      {channel !== undefined && (
        <InWordsOf plugin={{ id: channel.plugin }}>
          <SchemaForm
            key={channel.id}
            schema={channel.settings}
            value={settings}
            onChange={(next) => onChange({ id: channel.id, settings: next })}
          />
        </InWordsOf>
      )}
    </>
  );
}

/** The way to the app store. It opens in a window of its own: what was entered here is not saved yet. */
function StoreLink({ search, text }: { readonly search: string; readonly text: string }) {
  return (
    <a className="tr-link" href={`#/app-store?${search}`} target="_blank" rel="noopener">
      {text}
    </a>
  );
}

const chats = 'category=chat';

function ChannelOff({ name }: { readonly name: string }) {
  const { t } = useHost();
  const { superAdmin } = useSession();
  return (
    <p className="tr-note">
      {t('The plugin for {{channel}} is switched off. What happens meanwhile waits.', { channel: name })}{' '}
      {superAdmin ? (
        <StoreLink search={chats} text={t('Switch it on in the app store')} />
      ) : (
        t('A super admin switches it on in the app store.')
      )}
    </p>
  );
}

/** The way to the first channel. */
function NoChannel() {
  const { t } = useHost();
  const { superAdmin } = useSession();
  return (
    <p className="tr-note">
      {superAdmin ? (
        <>
          {t('No channel is set up yet.')}{' '}
          <StoreLink search={chats} text={t('Set one up in the app store')} />
        </>
      ) : (
        t('No channel is set up. A super admin switches them on in the app store.')
      )}
    </p>
  );
}
