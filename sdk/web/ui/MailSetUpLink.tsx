import type { ReactNode } from 'react';
import { useSession, useSharedT } from '../host.tsx';

/**
 * A link to the plugins that send mail, for people who may set them up; nothing for others. It opens in a new window: what is shown
 * beside it, such as a one-time link, would be lost.
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
