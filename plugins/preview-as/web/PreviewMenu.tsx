import { objectsTag, useServerData, useShell, useT } from '@trellis/sdk/web';
import { MenuButton } from '@trellis/sdk/web/ui';
import { rolesObjectKind, teamObjectKind, type CustomRole } from '#plugins/sys-members/shared';
import { previewRoles } from '../shared/index.ts';
import { preview, previewCustomRole } from './preview-state.ts';

/** Offers the roles as which the open project can be previewed. */
export default function PreviewMenu() {
  const t = useT();
  const { project } = useShell().context;
  const { data } = useServerData<{ readonly list: readonly CustomRole[] }>(
    project && { path: `/api/v1/plugins/sys-members/projects/${encodeURIComponent(project.id)}/roles` },
    { tags: [objectsTag(rolesObjectKind, project?.id), objectsTag(teamObjectKind, project?.id), 'projects'] },
  );
  const usual = previewRoles.map((role) => ({ id: role as string, name: t(role), run: () => preview(role) }));
  const custom = (data?.list ?? []).map((role) => ({
    id: role.id,
    name: role.title,
    run: () => previewCustomRole(role),
  }));
  return (
    <MenuButton
      label={t('Preview as')}
      icon="eye"
      actions={[...usual, ...custom].map(({ id, name, run }) => ({
        id,
        label: t('Preview as {{role}}', { role: name }),
        icon: 'user',
        run,
      }))}
    />
  );
}
