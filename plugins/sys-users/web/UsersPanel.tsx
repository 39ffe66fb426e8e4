import { hasPermission, useHost, useServerData, useSession } from '@trellis/sdk/web';
import { ErrorNotice, SearchField, Skeleton } from '@trellis/sdk/web/ui';
import { useDeferredValue, useState } from 'react';
import type { ServerInvitationEntity, ServerUserList } from '../shared/index.ts';
import { InvitedLine } from './InvitedLine.tsx';
import { InviteUserDialog } from './InviteUserDialog.tsx';
import { MadeLinkDialog, type ShownLink } from './MadeLinkDialog.tsx';
import { listInvitations, listUsers, usersTag } from './user-requests.ts';
import { UserLine } from './UserLine.tsx';

const pageSize = 25;

/** All accounts and invitations of this server, for its administrators. */
export default function UsersPanel() {
  const { t } = useHost();
  const session = useSession();
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(pageSize);
  const [isInviting, setInviting] = useState(false);
  const [link, setLink] = useState<ShownLink>();
  const wanted = useDeferredValue(search.trim());
  const users = useServerData<ServerUserList>(listUsers(wanted, limit), {
    tags: [usersTag],
    keepsLast: true,
  });
  const invited = useServerData<{ readonly list: readonly ServerInvitationEntity[] }>(listInvitations, {
    tags: [usersTag],
  });
  const { list = [], pageInfo } = users.data ?? {};
  const more = (pageInfo?.totalRows ?? 0) - list.length;
  const awaited = (invited.data?.list ?? []).filter(({ email }) => email.includes(wanted.toLowerCase()));
  const error = users.error ?? invited.error;

  function refetch() {
    users.refetch();
    invited.refetch();
  }

  return (
    <section className="account-panel">
      <div className="account-bar">
        <SearchField label={t('Search people')} value={search} onChange={setSearch} />
        <span className="tr-gap" />
        {hasPermission('accountInvite', session.user) && (
          <button type="button" className="tr-button tr-button--primary" onClick={() => setInviting(true)}>
            <i className="pi pi-user-plus" aria-hidden="true" /> {t('Invite somebody')}
          </button>
        )}
      </div>
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {users.isLoading && <Skeleton height={56} count={3} />}
      {users.data !== undefined && list.length === 0 && awaited.length === 0 && (
        <p className="tr-nothing">{t('your search for {{search}} found no results', { search: wanted })}</p>
      )}
      {list.length > 0 && (
        <ul className="account-list" aria-label={t('People with an account')}>
          {list.map((user) => (
            <UserLine key={user.id} user={user} onLink={setLink} />
          ))}
        </ul>
      )}
      {more > 0 && (
        <button type="button" className="tr-button" onClick={() => setLimit(limit + pageSize * 4)}>
          {t('Show {{count}} more', { count: more, one: 'Show one more' })}
        </button>
      )}
      {awaited.length > 0 && (
        <ul className="account-list" aria-label={t('Invited')}>
          {awaited.map((invitation) => (
            <InvitedLine key={invitation.id} invitation={invitation} onLink={setLink} />
          ))}
        </ul>
      )}
      {isInviting && <InviteUserDialog onLink={setLink} onClose={() => setInviting(false)} />}
      {link !== undefined && <MadeLinkDialog link={link} onClose={() => setLink(undefined)} />}
    </section>
  );
}
