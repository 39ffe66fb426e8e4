import { lazyPart, useShell, useT } from '@trellis/sdk/web';
import { Suspense, useState } from 'react';

const InviteDialog = lazyPart(async () => ({
  default: (await import('./InviteDialog.tsx')).InviteDialog,
}));
/** Loaded before the press, so that what is typed afterwards goes into the dialog. */
const fetchDialog = () => void InviteDialog.load();

/** Invites people to the open project from any of its pages. */
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
        onPointerEnter={fetchDialog}
        onFocus={fetchDialog}
        onClick={() => setOpen(true)}
      >
        <i className="pi pi-user-plus" aria-hidden="true" />
        <span>{t('Share')}</span>
      </button>
      {isOpen && (
        <Suspense>
          <InviteDialog project={project} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
