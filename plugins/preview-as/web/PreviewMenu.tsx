import { useT } from '@trellis/sdk/web';
import { MenuButton } from '@trellis/sdk/web/ui';
import { previewRoles } from '../shared/index.ts';
import { preview } from './preview-state.ts';

/** Offers the roles through which the open project can be looked at. */
export default function PreviewMenu() {
  const t = useT();
  return (
    <MenuButton
      label={t('Preview as')}
      icon="eye"
      actions={previewRoles.map((role) => ({
        id: role,
        label: t('Preview as {{role}}', { role: t(role) }),
        icon: 'user',
        run: () => preview(role),
      }))}
    />
  );
}
