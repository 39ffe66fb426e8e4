import { useShell, useT } from '@trellis/sdk/web';
import { Dialog } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { SharePanel } from './SharePanel.tsx';

/** Shares the open project by a link. */
export default function ShareBaseButton() {
  const t = useT();
  const { project } = useShell().context;
  const [isOpen, setOpen] = useState(false);
  if (project === undefined) return null;
  return (
    <>
      <button
        type="button"
        className="tr-icon-button"
        title={t('Shared base')}
        aria-label={t('Shared base')}
        onClick={() => setOpen(true)}
      >
        <i className="pi pi-globe" aria-hidden="true" />
      </button>
      {isOpen && (
        <Dialog title={t('Shared base')} width={700} onClose={() => setOpen(false)}>
          <SharePanel project={project} />
        </Dialog>
      )}
    </>
  );
}
