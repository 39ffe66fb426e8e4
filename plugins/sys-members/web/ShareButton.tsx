import { useShell, useT } from '@trellis/sdk/web';
import { useState } from 'react';
import { InviteDialog } from './InviteDialog.tsx';

/** Invites people to the open project from wherever somebody is in it. */
export default function ShareButton() {
  const t = useT();
  const { project } = useShell().context;
  const [isOpen, setOpen] = useState(false);
  if (project === undefined) return null;
  return (
    <>
      <button
        type="button"
        className="tr-button team-share"
        title={t('Share')}
        aria-label={t('Share')}
        onClick={() => setOpen(true)}
      >
        <i className="pi pi-user-plus" aria-hidden="true" />
        <span>{t('Share')}</span>
      </button>
      {isOpen && <InviteDialog project={project} onClose={() => setOpen(false)} />}
    </>
  );
}
