import { automationsObjectKind } from '#plugins/automations/shared';
import type { ProjectEntity } from '@trellis/sdk/shared';
import { useServerData, objectsTag, useAttempt, useHost, type AutomationInputProps } from '@trellis/sdk/web';
import { CopyField, ErrorNotice, pageLanguage, WorkButton } from '@trellis/sdk/web/ui';
import { useEffect } from 'react';
import { base, callPath, idOfAddress, type LastCall } from '../shared/index.ts';
import { namesIn } from './names-in.ts';

/** The secret address of an automation, and what was sent to it last. */
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

/** What templates may name of the last call. */
function LastOne({ project, path }: { readonly project: ProjectEntity; readonly path: string }) {
  const { t } = useHost();
  const { data } = useServerData<{ readonly call: LastCall | null }>(
    { path },
    // A call begins a run, of which the page is told.
    { tags: [objectsTag(automationsObjectKind, project.id)] },
  );
  if (data?.call === undefined) return null;
  if (data.call === null)
    return (
      <p className="tr-note">
        {t('Nothing was sent to it yet. After the first call the names of what it sent stand here.')}
      </p>
    );
  return (
    <details className="automation-addresses-last">
      <summary>{t('Sent last, {{at}}', { at: timeOf(data.call) })}</summary>
      <ul>
        {namesIn(data.call.body).map(({ placeholder, value }) => (
          <li key={placeholder}>
            <code>{placeholder}</code> {value}
          </li>
        ))}
      </ul>
    </details>
  );
}

function timeOf({ at }: LastCall): string {
  const format = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium', timeStyle: 'medium' });
  return format.format(new Date(at));
}
