import { useHost } from '@trellis/sdk/web';
import { WorkButton } from '@trellis/sdk/web/ui';
import { useState } from 'react';

/** What is sent again. */
export interface Chosen {
  readonly ids?: readonly string[];
  readonly from?: string;
  readonly to?: string;
}

/** Sends again what happened in a stretch of time, such as that in which a receiver lost what it had taken. */
export function ReplayStretch(props: {
  readonly isBusy: boolean;
  readonly onSend: (chosen: Chosen) => void;
}) {
  const { isBusy, onSend } = props;
  const { t } = useHost();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const iso = (local: string) => new Date(local).toISOString();
  const field = (label: string, value: string, set: (value: string) => void) => (
    <label className="tr-field">
      <span>{label}</span>
      <input
        type="datetime-local"
        className="p-inputtext p-component"
        value={value}
        onChange={(event) => set(event.target.value)}
      />
    </label>
  );
  return (
    <details className="webhooks-stretch">
      <summary>{t('Send a stretch of time again')}</summary>
      <div className="webhooks-line">
        {field(t('From'), from, setFrom)}
        {field(t('To'), to, setTo)}
        <WorkButton
          isBusy={isBusy}
          disabled={from === '' || to === ''}
          onClick={() => onSend({ from: iso(from), to: iso(to) })}
        >
          <i className="pi pi-replay" aria-hidden="true" /> {t('Send again')}
        </WorkButton>
      </div>
    </details>
  );
}
