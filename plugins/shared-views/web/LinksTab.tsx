import type { ProjectEntity } from '@trellis/sdk/shared';
import { messageOfError, useHost, useRegistry, useServerData } from '@trellis/sdk/web';
import {
  copyText,
  Empty,
  ErrorNotice,
  matchesSearch,
  MenuButton,
  pageLanguage,
  SearchField,
  Skeleton,
  PageHead,
} from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { SharedViewEntity } from '../shared/index.ts';
import { linkAddress } from './link-address.ts';
import { linksTag, useLinkCalls } from './use-link.ts';
import { VisitBars } from './VisitBars.tsx';

/** All shared views of a project. */
export default function LinksTab({ project }: { readonly project: ProjectEntity }) {
  const { t } = useHost();
  const [search, setSearch] = useState('');
  const { data, error, refetch } = useServerData<{ readonly list: readonly SharedViewEntity[] }>(
    { path: `/api/v1/db/meta/projects/${encodeURIComponent(project.id)}/shared-views` },
    { tags: [linksTag(project.id), `tables:${project.id}`] },
  );
  const links = data?.list;
  const shown = (links ?? []).filter(({ title, _ptn }) => matchesSearch(`${_ptn} ${title}`, search.trim()));
  return (
    <section className="tr-page">
      <PageHead
        title={t('Shared views')}
        about={t('Whoever has one of these links sees what its view shows, without signing in.')}
      >
        {links !== undefined && links.length > 0 && (
          <SearchField label={t('Search tables and views')} value={search} onChange={setSearch} />
        )}
      </PageHead>
      {error && <ErrorNotice message={messageOfError(error, t)} onRetry={refetch} />}
      {!error && links === undefined && <Skeleton height={40} count={5} />}
      {links?.length === 0 && (
        <Empty
          icon="share-alt"
          title={t('No view is shared')}
          text={t('Open a view and choose “Share view” in its toolbar to make a link for it.')}
        />
      )}
      {links !== undefined && links.length > 0 && (
        <div className="shared-views-scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">{t('View')}</th>
                <th scope="col">{t('Table')}</th>
                <th scope="col">{t('Type')}</th>
                <th scope="col">{t('Password')}</th>
                <th scope="col">{t('End')}</th>
                <th scope="col">{t('Visits')}</th>
                <th scope="col">{t('Last visit')}</th>
                <th scope="col">{t('Actions')}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((link) => (
                <LinkLine projectId={project.id} key={link.id} link={link} />
              ))}
            </tbody>
          </table>
          {shown.length === 0 && <p className="tr-note">{t('No shared view is called like that.')}</p>}
        </div>
      )}
    </section>
  );
}

function LinkLine({ projectId, link }: { readonly projectId: string; readonly link: SharedViewEntity }) {
  const host = useHost();
  const { t } = host;
  const type = useRegistry('viewTypes').find(({ id }) => id === link.view_type);
  const { isBusy, renew, turnOff } = useLinkCalls({ projectId, viewId: link.id });
  const [now] = useState(Date.now);
  const address = type?.sharing && linkAddress(link.uuid, type.sharing.word);
  const until = link.expires_at === null ? undefined : new Date(link.expires_at);
  const when = until?.toLocaleString(pageLanguage(), { dateStyle: 'medium', timeStyle: 'short' });

  const lastVisit =
    link.visits.last_at === null
      ? undefined
      : new Date(link.visits.last_at).toLocaleString(pageLanguage(), {
          dateStyle: 'medium',
          timeStyle: 'short',
        });

  async function copy() {
    if (address === undefined) return;
    const isCopied = await copyText(address);
    host.toast(
      isCopied
        ? { severity: 'success', summary: t('Link copied') }
        : { severity: 'error', summary: t('The browser did not let it be copied. Please open the link.') },
    );
  }

  const open = () =>
    host.shell.openTab({ type: 'table', key: link.fk_model_id, name: link._ptn, view: link.id });
  return (
    <tr aria-busy={isBusy}>
      <th scope="row">
        <button type="button" className="tr-link" onClick={open}>
          {link.title}
        </button>
      </th>
      <td>{link._ptn}</td>
      <td>{t(type?.label ?? link.view_type)}</td>
      <td>{link.password === null ? t('None') : t('Asked for')}</td>
      <td>
        {until === undefined || when === undefined
          ? t('Never')
          : until.getTime() <= now
            ? t('Ended on {{when}}', { when })
            : when}
      </td>
      <td>
        <VisitBars visits={link.visits} />
      </td>
      <td>{lastVisit ?? t('Never')}</td>
      <td>
        <button
          type="button"
          className="tr-button"
          aria-label={t("Copy the link of '{{view}}'", { view: link.title })}
          aria-disabled={address === undefined}
          onClick={() => void copy()}
        >
          <i className="pi pi-copy" aria-hidden="true" /> {t('Copy')}
        </button>
        <MenuButton
          label={t("More about the link of '{{view}}'", { view: link.title })}
          actions={[
            ...(address === undefined
              ? []
              : [
                  {
                    id: 'open',
                    label: t('Open the link'),
                    icon: 'external-link',
                    run: () => void window.open(address, '_blank', 'noopener,noreferrer'),
                  },
                ]),
            { id: 'renew', label: t('New link'), icon: 'refresh', run: () => void renew() },
            { id: 'off', label: t('Turn off'), icon: 'times', danger: true, run: () => void turnOff() },
          ]}
        />
      </td>
    </tr>
  );
}
