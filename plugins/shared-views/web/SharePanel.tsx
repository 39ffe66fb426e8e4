import type { TableEntity, ViewEntity, ViewSharing } from '@trellis/sdk/shared';
import { embedCode, useHost } from '@trellis/sdk/web';
import {
  CopyField,
  ErrorNotice,
  FramingSites,
  pageLanguage,
  QrCode,
  Skeleton,
  Switch,
} from '@trellis/sdk/web/ui';
import { useState, type ReactNode } from 'react';
import type { SharedViewEntity } from '../shared/index.ts';
import { LinkExpiry } from './LinkExpiry.tsx';
import { LinkLook } from './LinkLook.tsx';
import { LinkPassword } from './LinkPassword.tsx';
import { linkAddress } from './link-address.ts';
import { useLink, type LinkOfView } from './use-link.ts';

interface SharePanelProps {
  readonly table: TableEntity;
  readonly view: ViewEntity;
  readonly sharing: ViewSharing;
  /** What the view's type adds for its link. */
  children?(this: void, address: string): ReactNode;
}

/** A view's sharing: the switch, its link, and what the link permits. */
export function SharePanel({ table, view, sharing, children }: SharePanelProps) {
  const of = useLink({ projectId: table.project_id, tableId: table.id, viewId: view.id });
  const { t } = useHost();
  const { link, isKnown, isBusy, error, refetch } = of;
  if (!isKnown && error) return <ErrorNotice message={error.message} onRetry={refetch} />;
  if (!isKnown) return <Skeleton height={48} count={3} />;

  return (
    <section className="shared-views" aria-busy={isBusy}>
      <Switch checked={link !== undefined} onChange={(on) => void (on ? of.open() : of.turnOff())}>
        {t('Anyone with the link can open this view')}
      </Switch>
      {link === undefined ? (
        <p className="tr-note">{t('Only the people of this project can open it.')}</p>
      ) : (
        <OpenLink {...{ of, link, sharing, children }} />
      )}
    </section>
  );
}

type Allowed = 'allowCSVDownload' | 'allowSearch' | 'allowCopy';

interface OpenLinkProps {
  readonly of: LinkOfView;
  readonly link: SharedViewEntity;
  readonly sharing: ViewSharing;
  readonly children: SharePanelProps['children'];
}

function OpenLink({ of, link, sharing, children }: OpenLinkProps) {
  const { t } = useHost();
  const [hasCode, setCode] = useState(false);
  const address = linkAddress(link.uuid, sharing.word);
  const allows = (key: Allowed) => link.meta[key] !== false;
  const allow = (key: Allowed, is: boolean) => void of.change({ meta: { [key]: is } });

  return (
    <>
      <CopyField
        label={t('Link')}
        value={address}
        copied={t('Link copied')}
        refused={t('The browser did not let it be copied. Please select the link.')}
      />
      <div className="shared-views-actions">
        <a className="tr-button" href={address} target="_blank" rel="noopener noreferrer">
          <i className="pi pi-external-link" aria-hidden="true" /> {t('Open')}
        </a>
        <button type="button" className="tr-button" aria-expanded={hasCode} onClick={() => setCode(!hasCode)}>
          <i className="pi pi-qrcode" aria-hidden="true" /> {t('QR code')}
        </button>
        <button type="button" className="tr-button" onClick={() => void of.renew()}>
          <i className="pi pi-refresh" aria-hidden="true" /> {t('New link')}
        </button>
      </div>
      {hasCode && <QrCode text={address} />}
      {children?.(address)}
      <LinkPassword key={`password ${link.password ?? ''}`} {...{ of, link }} />
      <LinkExpiry key={`expiry ${link.expires_at ?? ''}`} {...{ of, link }} />
      {sharing.visitors === 'read' && <LinkLook {...{ of, link }} />}
      <FramingSites
        sites={link.meta.embedSites ?? []}
        code={embedCode(`/nc/${sharing.word}/${link.uuid}`, link.title)}
        onChange={(embedSites) => void of.change({ meta: { embedSites } })}
      />
      {sharing.visitors === 'read' && (
        <fieldset className="shared-views-allowed">
          <legend>{t('Visitors may')}</legend>
          <Switch checked={allows('allowSearch')} onChange={(is) => allow('allowSearch', is)}>
            {t('search and filter')}
          </Switch>
          <Switch checked={allows('allowCSVDownload')} onChange={(is) => allow('allowCSVDownload', is)}>
            {t('download the rows')}
          </Switch>
          <Switch checked={allows('allowCopy')} onChange={(is) => allow('allowCopy', is)}>
            {t('copy cells and rows')}
          </Switch>
        </fieldset>
      )}
      <p className="tr-note">
        {link.visits.last_at === null
          ? t('Nobody has opened the link yet.')
          : t('The link was opened {{count}} times, last on {{when}}.', {
              count: link.visits.total,
              one: 'The link was opened once, on {{when}}.',
              when: new Date(link.visits.last_at).toLocaleString(pageLanguage(), {
                dateStyle: 'medium',
                timeStyle: 'short',
              }),
            })}
      </p>
      <WhoSeesWhat {...{ link, sharing }} />
    </>
  );
}

function WhoSeesWhat({ link, sharing }: Pick<OpenLinkProps, 'link' | 'sharing'>) {
  const { t } = useHost();
  const who =
    link.password === null
      ? t('Everybody who gets the link, without signing in.')
      : t('Everybody who gets the link and knows the password, without signing in.');
  return (
    <div className="shared-views-who">
      <h3>{t('Who sees what')}</h3>
      <ul>
        <li>{who}</li>
        {sharing.visitors === 'read' ? (
          <>
            <li>{t('They see the rows that pass the filters of the view, as they are at the time.')}</li>
            <li>
              {t(
                'They see the fields that the view shows. Hidden fields, and fields with people, stay hidden.',
              )}
            </li>
            <li>{t('They change nothing.')}</li>
          </>
        ) : (
          <>
            <li>{t('They add rows with the fields that the view shows.')}</li>
            <li>{t('They read no rows, except the names of those that a row can be linked to.')}</li>
          </>
        )}
      </ul>
    </div>
  );
}
