import type { ProjectEntity } from '@trellis/sdk/shared';
import { hasPermission, useHost } from '@trellis/sdk/web';
import { ErrorNotice, MenuButton, Skeleton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { mostRoles, type CustomRole } from '../../shared/index.ts';
import { roleMeanings } from '../roles.ts';
import { DeleteRoleDialog } from './DeleteRoleDialog.tsx';
import { RoleDialog } from './RoleDialog.tsx';
import { useRoles } from './role-requests.ts';

type Open =
  | { readonly kind: 'edit'; readonly role?: CustomRole }
  | { readonly kind: 'delete'; readonly role: CustomRole };

/** The usual roles, and the project's custom ones. */
export function RolesPane({ project }: { readonly project: ProjectEntity }) {
  const { t } = useHost();
  const { data, error, refetch } = useRoles(project);
  const [open, setOpen] = useState<Open>();
  const maySet = hasPermission('customRoleSet', project);
  const close = () => setOpen(undefined);

  return (
    <section aria-label={t('Roles')}>
      <div className="team-roles-head">
        <p className="tr-note">
          {t(
            'A custom role narrows one of the usual roles: table by table, column by column. The server keeps to it everywhere.',
          )}
        </p>
        {maySet && (data?.list.length ?? 0) < mostRoles && (
          <button
            type="button"
            className="tr-button tr-button--primary"
            onClick={() => setOpen({ kind: 'edit' })}
          >
            <i className="pi pi-plus" aria-hidden="true" /> {t('New role')}
          </button>
        )}
      </div>
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {!error && data === undefined && <Skeleton className="team-list" height={56} count={3} />}
      <ul className="team-list" aria-label={t('Custom roles')}>
        {data?.list.map((role) => (
          <li key={role.id} className="team-person">
            <span className="team-mark" aria-hidden="true">
              <i className="pi pi-shield" />
            </span>
            <span className="team-name">
              <strong>{role.title}</strong>
              <small>{role.description || t('Narrows {{role}}', { role: t(role.base) })}</small>
            </span>
            <span className="team-role">
              {t('{{count}} people', { count: role.people, one: 'One person' })}
            </span>
            {maySet && (
              <span className="team-menu">
                <MenuButton
                  label={t('What to do with {{name}}', { name: role.title })}
                  actions={[
                    {
                      id: 'edit',
                      label: t('Change the role'),
                      icon: 'pencil',
                      run: () => setOpen({ kind: 'edit', role }),
                    },
                    {
                      id: 'delete',
                      label: t('Delete the role'),
                      icon: 'trash',
                      danger: true,
                      run: () => setOpen({ kind: 'delete', role }),
                    },
                  ]}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
      <ul className="team-list" aria-label={t('Usual roles')}>
        {Object.entries(roleMeanings).map(([role, { meaning }]) => (
          <li key={role} className="team-person">
            <span className="team-mark" aria-hidden="true">
              <i className="pi pi-user" />
            </span>
            <span className="team-name">
              <strong>{t(role)}</strong>
              <small>{t(meaning)}</small>
            </span>
          </li>
        ))}
      </ul>
      {open?.kind === 'edit' && (
        <RoleDialog
          project={project}
          role={open.role}
          permissions={data?.permissions ?? []}
          onClose={close}
        />
      )}
      {open?.kind === 'delete' && (
        <DeleteRoleDialog project={project} role={open.role} others={data?.list ?? []} onClose={close} />
      )}
    </section>
  );
}
