import type { ProjectEntity } from '@trellis/sdk/shared';
import { messageOfError, useHost, useServerData } from '@trellis/sdk/web';
import { ErrorNotice, matchesSearch, SearchField, Skeleton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { hideableRoles, type HideableRole, type VisibilityEntity } from '../shared/index.ts';

/** Which views are listed for which roles: a row for each view, a box for each role. */
export default function VisibilityTab({ project }: { readonly project: ProjectEntity }) {
  const host = useHost();
  const { t } = host;
  const [search, setSearch] = useState('');
  /** Boxes whose change is on its way, by view and role: what they are going to be. */
  const [pending, setPending] = useState<Readonly<Record<string, boolean>>>({});
  const path = `/api/v1/db/meta/projects/${encodeURIComponent(project.id)}/visibility-rules`;
  const tags = [`visibility:${project.id}`, `tables:${project.id}`];
  const { data, error, refetch } = useServerData<readonly VisibilityEntity[]>({ path }, { tags });
  const shown = (data ?? []).filter((view) => matchesSearch(`${view._ptn} ${view.title}`, search.trim()));

  async function set(view: VisibilityEntity, role: HideableRole, isListed: boolean) {
    const key = keyOf(view, role);
    setPending((former) => ({ ...former, [key]: isListed }));
    try {
      await host.api.request({
        method: 'POST',
        path,
        body: [{ id: view.id, disabled: { [role]: !isListed } }],
      });
    } catch (failure) {
      host.toast({
        severity: 'error',
        summary: t('The rule could not be changed'),
        detail: messageOfError(failure, t),
      });
    }
    host.invalidate(tags);
    setPending((former) => Object.fromEntries(Object.entries(former).filter(([other]) => other !== key)));
  }

  return (
    <section className="visibility">
      <header className="tr-page-head">
        <div>
          <h2>{t('Visibility')}</h2>
          <p>
            {t(
              'Views are listed for the roles that are ticked, and a table while one of its views is. The rows of a table are not protected by this.',
            )}
          </p>
        </div>
        <SearchField label={t('Search tables and views')} value={search} onChange={setSearch} />
      </header>
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {!error && data === undefined && <Skeleton height={34} count={6} />}
      {data && (
        <div className="visibility-scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">{t('Table')}</th>
                <th scope="col">{t('View')}</th>
                {hideableRoles.map((role) => (
                  <th key={role} scope="col">
                    {t(role)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((view) => (
                <tr key={view.id}>
                  <td>{view._ptn}</td>
                  <td>{view.title}</td>
                  {hideableRoles.map((role) => (
                    <td key={role}>
                      <input
                        type="checkbox"
                        aria-label={t('List {{view}} of {{table}} for the role {{role}}', {
                          view: view.title,
                          table: view._ptn,
                          role: t(role),
                        })}
                        checked={pending[keyOf(view, role)] ?? view.disabled[role] !== true}
                        onChange={(event) => void set(view, role, event.target.checked)}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {shown.length === 0 && <p className="tr-note">{t('No view is called like that.')}</p>}
        </div>
      )}
    </section>
  );
}

function keyOf({ id }: VisibilityEntity, role: HideableRole): string {
  return `${id} ${role}`;
}
