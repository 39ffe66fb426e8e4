import type { ReactNode } from 'react';
import { useSession, useSharedT } from '../host.tsx';

/**
 * The way to the plugins that send mail, for whoever may set them up; nothing for everybody else. It opens in a window of its own: what stands
 * beside it, such as a link that is shown once, would be lost.
 * @public
 */
export function MailSetUpLink(): ReactNode {
  const t = useSharedT();
  const { superAdmin } = useSession();
  if (!superAdmin) return null;
  return (
    <a className="tr-link" href="#/app-store?category=email" target="_blank" rel="noopener">
      {t('Set up mail in the app store')}
    </a>
  );
}
