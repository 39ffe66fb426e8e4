import { useServerData, useT } from '@trellis/sdk/web';
import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { usePageParts } from '../parts.ts';
import { settingsSlice } from '../../store/settings-slice.ts';
import type { HostState } from '../../store/store.ts';
import { SwitchRow } from './SwitchRow.tsx';

interface Version {
  readonly currentVersion?: string | null;
  readonly releaseVersion?: string | null;
}

/** Returns the version if it consists of digits and dots; anything else is not shown. */
export function knownVersion(version: string | null | undefined): string | undefined {
  return typeof version === 'string' && /^[\d.]+$/.test(version) ? version : undefined;
}

/** The current version, and the choice to look for a newer one. */
export function VersionPanel() {
  const t = useT();
  const { mirror } = usePageParts();
  const dispatch = useDispatch();
  const checkForUpdate = useSelector(({ settings }: HostState) => settings.checkForUpdate);
  const { data, isLoading } = useServerData<Version>({ path: '/api/v1/version' });
  const [refreshShown, setRefreshShown] = useState(false);
  const current = knownVersion(data?.currentVersion);
  const latest = knownVersion(data?.releaseVersion);

  function refresh() {
    mirror.clear();
    location.reload();
  }

  return (
    <>
      <section className="tr-settings-section">
        <div className="tr-settings-row">
          <span>{t('Version')}</span>
          <strong>{isLoading ? '…' : (current ?? t('unknown'))}</strong>
        </div>
        {latest !== undefined && latest !== current && (
          <div className="tr-settings-row">
            <span>{t('Newest version')}</span>
            <strong>{latest}</strong>
          </div>
        )}
      </section>
      <section className="tr-settings-section">
        <div role="presentation" onDoubleClick={() => setRefreshShown(true)}>
          <SwitchRow
            label={t('Tell me about new versions')}
            hint={t('Nothing is installed by itself')}
            checked={checkForUpdate}
            onChange={(on) => dispatch(settingsSlice.actions.changed({ checkForUpdate: on }))}
          />
        </div>
        {refreshShown && (
          <div className="tr-settings-row">
            <span>
              {t('Forget what this browser keeps')}
              <small>{t('Theme, language and open tabs; no data is lost')}</small>
            </span>
            <button type="button" className="tr-button" onClick={refresh}>
              {t('Refresh')}
            </button>
          </div>
        )}
      </section>
    </>
  );
}
