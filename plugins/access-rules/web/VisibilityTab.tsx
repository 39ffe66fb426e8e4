import { rolesObjectKind, teamObjectKind, type CustomRole } from '#plugins/sys-members/shared';
import type { ProjectEntity } from '@trellis/sdk/shared';
import {
  hasPermission,
  messageOfError,
  objectsTag,
  useHost,
  usePendingValue,
  useServerData,
} from '@trellis/sdk/web';
import { ErrorNotice, matchesSearch, SearchField, Skeleton, PageHead } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { hideableRoles, type VisibilityEntity } from '../shared/index.ts';

/** Sets which roles see which views in lists: a row for each view, a checkbox for each role. */
export default function VisibilityTab({ project }: { readonly project: ProjectEntity }) {
  const host = useHost();
  const { t } = host;
  const [search, setSearch] = useState('');
  const path = `/api/v1/db/meta/projects/${encodeURIComponent(project.id)}/visibility-rules`;
  const tags = [`visibility:${project.id}`, `tables:${project.id}`];
  const { data, error, refetch } = useServerData<readonly VisibilityEntity[]>({ path }, { tags });
  const custom = useServerData<{ readonly list: readonly CustomRole[] }>(
    hasPermission('customRoleList', project)
      ? { path: `/api/v1/plugins/sys-members/projects/${encodeURIComponent(project.id)}/roles` }
      : undefined,
    { tags: [objectsTag(rolesObjectKind, project.id), objectsTag(teamObjectKind, project.id), 'projects'] },
  ).data?.list;
  const roles: readonly { readonly id: string; readonly label: string }[] = [
    ...hideableRoles.map((id) => ({ id, label: t(id) })),
    ...(custom ?? []).map(({ id, title }) => ({ id, label: title })),
  ];
  const shown = (data ?? []).filter((view) => matchesSearch(`${view._ptn} ${view.title}`, search.trim()));

  /** Resolves to whether it was changed. */
  async function set(view: VisibilityEntity, role: string, isListed: boolean): Promise<boolean> {
    try {
      await host.api.request({
        method: 'POST',
        path,
        body: [{ id: view.id, disabled: { [role]: !isListed } }],
      });
      return true;
    } catch (failure) {
      host.toast({
        severity: 'error',
        summary: t('The rule could not be changed'),
        detail: messageOfError(failure, t),
      });
      return false;
    } finally {
      host.invalidate(tags);
    }
  }

  return (
    <section className="tr-page visibility">
      <PageHead
        title={t('Visibility')}
        about={t(
          'Views are listed for the roles that are ticked, and a table while one of its views is. The rows of a table are not protected by this.',
        )}
      >
        <SearchField label={t('Search tables and views')} value={search} onChange={setSearch} />
      </PageHead>
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {!error && data === undefined && <Skeleton height={34} count={6} />}
      {data && (
        <div className="visibility-scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">{t('Table')}</th>
                <th scope="col">{t('View')}</th>
                {roles.map(({ id, label }) => (
                  <th key={id} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((view) => (
                <tr key={view.id}>
                  <td>{view._ptn}</td>
                  <td>{view.title}</td>
                  {roles.map(({ id, label }) => (
                    <td key={id}>
                      <Box
                        label={t('List {{view}} of {{table}} for the role {{role}}', {
                          view: view.title,
                          table: view._ptn,
                          role: label,
                        })}
                        isListed={view.disabled[id] !== true}
                        onChange={(isListed) => set(view, id, isListed)}
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

function Box(props: {
  readonly label: string;
  readonly isListed: boolean;
  readonly onChange: (isListed: boolean) => Promise<boolean>;
}) {
  const { value, isBusy, change } = usePendingValue(props.isListed);
  return (
    <input
      type="checkbox"
      aria-label={props.label}
      aria-busy={isBusy}
      checked={value}
      onChange={({ target: { checked } }) => void change(checked, () => props.onChange(checked))}
    />
  );
}
