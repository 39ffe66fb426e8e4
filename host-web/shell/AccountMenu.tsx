import { useMenuActions, useSession, useT } from '@trellis/sdk/web';
import { MenuButton } from '@trellis/sdk/web/ui';

/** Who is signed in, and what they may do about it. */
export function AccountMenu() {
  const t = useT();
  const { user } = useSession();
  const email = user?.email ?? '';
  const name = [user?.firstname, user?.lastname].filter(Boolean).join(' ') || email;
  const actions = useMenuActions('account').map((action) => ({
    ...action,
    startsGroup: action.startsGroup || action.id === 'host.sign-out',
  }));
  const header = (
    <div className="tr-account-header">
      <strong>{name}</strong>
      {name !== email && <span>{email}</span>}
    </div>
  );
  return (
    <MenuButton
      label={t('Account of {{name}}', { name })}
      className="tr-avatar"
      header={header}
      actions={actions}
    >
      {initialsOf(name)}
    </MenuButton>
  );
}

/** One or two letters: of a name's words, or the first of an address. */
function initialsOf(name: string): string {
  const words = (name.split('@')[0] ?? '').split(/[\s._-]+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 32).toLocaleUpperCase())
    .join('');
}
