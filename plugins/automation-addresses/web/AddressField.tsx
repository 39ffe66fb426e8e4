import { automationsObjectKind } from '#plugins/automations/shared';
import type { ProjectEntity } from '@trellis/sdk/shared';
import {
  messageOfRefusal,
  useServerData,
  objectsTag,
  useAttempt,
  useHost,
  type AutomationInputProps,
} from '@trellis/sdk/web';
import { CopyField, ErrorNotice, Notice, pageLanguage, WorkButton } from '@trellis/sdk/web/ui';
import { useEffect } from 'react';
import { base, callPath, idOfAddress, type LastCall, type LastCalls } from '../shared/index.ts';
import { namesIn } from './names-in.ts';

/** An automation's secret address, and the last call to it. */
export default function AddressField({ project, label, value, onChange }: AutomationInputProps) {
  const { t, api } = useHost();
  const { isBusy, problem, attempt } = useAttempt();
  const path = `${base}/projects/${encodeURIComponent(project.id)}/addresses`;

  function renew(isMeant: () => boolean = () => true): Promise<boolean> {
    return attempt(async () => {
      const { address } = await api.request<{ readonly address: string }>({ method: 'POST', path });
      if (isMeant()) onChange(address);
    });
  }

  const isMissing = value === '';
  useEffect(() => {
    if (!isMissing) return;
    let isMeant = true;
    void renew(() => isMeant);
    return () => {
      isMeant = false;
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the first address is asked for once, whatever else changes
  }, [isMissing]);

  return (
    <>
      {problem !== undefined && <ErrorNotice message={problem} onRetry={() => void renew()} />}
      {!isMissing && (
        <>
          <CopyField
            label={label}
            value={`${window.location.origin}${callPath(value)}`}
            hint={t('Send it JSON, a form or a text by POST. Whoever has the address starts the automation.')}
            copied={t('The address is copied')}
            refused={t('The browser does not let it be copied; select it and copy it yourself.')}
          />
          <p>
            <WorkButton isBusy={isBusy} onClick={() => void renew()}>
              {t('Make a new address')}
            </WorkButton>{' '}
            <small className="tr-note">
              {t('The one before stops working when the automation is saved.')}
            </small>
          </p>
          <LastOne project={project} path={`${path}/${encodeURIComponent(idOfAddress(value))}/last`} />
        </>
      )}
    </>
  );
}

/** The values of the last call that templates can use. */
function LastOne({ project, path }: { readonly project: ProjectEntity; readonly path: string }) {
  const { t } = useHost();
  const { data } = useServerData<LastCalls>(
    { path },
    // A call starts a run, and the page is notified of runs.
    { tags: [objectsTag(automationsObjectKind, project.id)] },
  );
  if (data === undefined) return null;
  if (!data.is_saved)
    return (
      <Notice severity="info">
        {t(
          'This address works once the automation is saved. Saved without a step it is switched off, and keeps what is sent to it as an example.',
        )}
      </Notice>
    );
  const { call, refused } = data;
  return (
    <>
      {refused !== null && (
        <p className="tr-field-problem">
          {t('Refused, {{at}}: {{reason}}', { at: timeOf(refused), reason: messageOfRefusal(refused, t) })}
        </p>
      )}
      {call === null ? (
        <p className="tr-note">
          {t('Nothing was sent to it yet. After the first call the names of what it sent stand here.')}
        </p>
      ) : (
        <details className="automation-addresses-last">
          <summary>{t('Sent last, {{at}}', { at: timeOf(call) })}</summary>
          <ul>
            {namesIn(call.body).map(({ placeholder, value }) => (
              <li key={placeholder}>
                <code>{placeholder}</code> {value}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function timeOf({ at }: Pick<LastCall, 'at'>): string {
  const format = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium', timeStyle: 'medium' });
  return format.format(new Date(at));
}
