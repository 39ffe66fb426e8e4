import type { ProjectEntity } from '@trellis/sdk/shared';
import { hasPermission, useHost, useServerData, type DashboardTab } from '@trellis/sdk/web';
import { ErrorNotice, SearchField, Skeleton, Tabs, PageHead } from '@trellis/sdk/web/ui';
import { useDeferredValue, useState, type ComponentProps } from 'react';
import type { MemberList } from '../shared/index.ts';
import { InviteDialog } from './InviteDialog.tsx';
import { MemberLine } from './MemberLine.tsx';
import { useRoles } from './roles/role-requests.ts';
import { RolesPane } from './roles/RolesPane.tsx';
import { listRequest, teamTag } from './team-requests.ts';

const pageSize = 25;

/** A project's members and roles. */
export default function TeamTab({ project }: ComponentProps<DashboardTab['Component']>) {
  const { t } = useHost();
  const [pane, setPane] = useState('people');
  if (!hasPermission('customRoleList', project)) {
    return (
      <section className="tr-page team-page">
        <People project={project} />
      </section>
    );
  }
  return (
    <section className="tr-page team-page">
      <Tabs
        label={t('Team & Auth')}
        items={[
          { id: 'people', label: t('People'), icon: 'users' },
          { id: 'roles', label: t('Roles'), icon: 'shield' },
        ]}
        value={pane}
        onChange={setPane}
      >
        {pane === 'people' ? <People project={project} /> : <RolesPane project={project} />}
      </Tabs>
    </section>
  );
}

/** A project's members and invitations. */
function People({ project }: { readonly project: ProjectEntity }) {
  const { t } = useHost();
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(pageSize);
  const [isInviting, setInviting] = useState(false);
  const wanted = useDeferredValue(search.trim());
  const { data, error, isLoading, refetch } = useServerData<MemberList>(listRequest(project, wanted, limit), {
    // Others' changes of members are reported as a change of the projects.
    tags: [teamTag(project.id), 'projects'],
    keepsLast: true,
  });
  const { data: roles } = useRoles(project);
  const { list = [], pageInfo } = data?.users ?? {};
  const more = (pageInfo?.totalRows ?? 0) - list.length;

  return (
    <>
      <PageHead title={t('Team')}>
        <SearchField label={t('Search people')} value={search} onChange={setSearch} />
        {hasPermission('userInvite', project) && (
          <button type="button" className="tr-button tr-button--primary" onClick={() => setInviting(true)}>
            <i className="pi pi-user-plus" aria-hidden="true" /> {t('Invite people')}
          </button>
        )}
      </PageHead>
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {isLoading && <Skeleton className="team-list" height={56} count={3} />}
      {data !== undefined && list.length === 0 && (
        <p className="tr-nothing">{t('your search for {{search}} found no results', { search: wanted })}</p>
      )}
      <ul className="team-list" aria-label={t('People in this project')}>
        {list.map((member) => (
          <MemberLine key={member.id} project={project} member={member} customRoles={roles?.list ?? []} />
        ))}
      </ul>
      {more > 0 && (
        <button type="button" className="tr-button" onClick={() => setLimit(limit + pageSize * 4)}>
          {t('Show {{count}} more', { count: more, one: 'Show one more' })}
        </button>
      )}
      {isInviting && <InviteDialog project={project} onClose={() => setInviting(false)} />}
    </>
  );
}
