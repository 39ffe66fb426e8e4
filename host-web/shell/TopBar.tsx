import { useMenuActions, useSession, useShell, useT } from '@trellis/sdk/web';
import { BrandMark, MenuButton } from '@trellis/sdk/web/ui';
import { Link, useLocation } from 'react-router-dom';
import { signInPath } from '../router/route-guard.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { Fold } from './Fold.tsx';
import { Slot, useSlotItems } from './Slot.tsx';

interface TopBarProps {
  readonly drawerOpen: boolean;
  /** Undefined if there is no side bar. */
  readonly onToggleDrawer: (() => void) | undefined;
}

/** Home, brand, the open project, plugins' items and the account. */
export function TopBar({ drawerOpen, onToggleDrawer }: TopBarProps) {
  const t = useT();
  const { status } = useSession();
  const { context } = useShell();
  const { pathname } = useLocation();
  const main = useMenuActions('main');
  const hasFolding = useSlotItems('top-bar-end').some(({ folds }) => folds) || main.length > 0;
  const onDashboard = pathname.startsWith('/nc/');
  const hasName = !(onDashboard && context.project !== undefined);
  return (
    <header className="tr-top-bar">
      {onToggleDrawer !== undefined && (
        <button
          type="button"
          className="tr-icon-button tr-only-phone"
          aria-label={t('Side bar')}
          aria-expanded={drawerOpen}
          onClick={onToggleDrawer}
        >
          <i className="pi pi-bars" aria-hidden="true" />
        </button>
      )}
      <Link to="/" className="tr-home" title={t('Home')} aria-label={hasName ? undefined : t('Home')}>
        <BrandMark withName={hasName} />
      </Link>
      {onDashboard && context.project !== undefined && (
        <>
          <span className="tr-top-bar-divider" aria-hidden="true" />
          <span className="tr-project-name" title={context.project.title}>
            {context.project.title}
          </span>
        </>
      )}
      <Slot name="top-bar-start" />
      <span className="tr-gap" />
      {hasFolding && (
        <Fold>
          <MenuButton label={t('More pages')} icon="th-large" actions={main} />
          <Slot name="top-bar-end" folds />
        </Fold>
      )}
      <Slot name="top-bar-end" folds={false} />
      {status === 'signedIn' ? (
        <AccountMenu />
      ) : (
        <Link to={signInPath} className="tr-button">
          {t('Sign in')}
        </Link>
      )}
    </header>
  );
}
