import { useT } from '@trellis/sdk/web';
import { preview, previewedCustomRole, previewedRole } from './preview-state.ts';

/** Says that the page shows what others see, with a way back. */
export default function PreviewBanner() {
  const t = useT();
  const usual = previewedRole();
  const role = previewedCustomRole()?.title ?? (usual && t(usual));
  if (role === undefined) return null;
  return (
    <div className="preview-banner" role="status">
      <i className="pi pi-eye" aria-hidden="true" />
      <span>{t('You see this project as {{role}}.', { role })}</span>
      <button type="button" className="tr-button" onClick={() => preview(undefined)}>
        {t('Exit preview')}
      </button>
    </div>
  );
}
