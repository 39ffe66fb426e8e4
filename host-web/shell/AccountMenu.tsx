import { useMenuActions, useRegistry, useSession, useT } from '@trellis/sdk/web';
import { MenuButton, pageLanguage, type MenuAction } from '@trellis/sdk/web/ui';
import { useDispatch, useSelector } from 'react-redux';
import { settingsSlice } from '../store/settings-slice.ts';
import type { HostState } from '../store/store.ts';

/** The signed-in person and the actions for their account. */
export function AccountMenu() {
  const t = useT();
  const { user } = useSession();
  const email = user?.email ?? '';
  const name = [user?.firstname, user?.lastname].filter(Boolean).join(' ') || email;
  const languages = useLanguageActions();
  const actions = useMenuActions('account').flatMap((action) =>
    action.id === 'host.sign-out' ? [...languages, { ...action, startsGroup: true }] : [action],
  );
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
      {user?.picture ? <img src={user.picture} alt="" /> : <span data-initials={initialsOf(name)} />}
    </MenuButton>
  );
}

/** The page's other languages, each with its own name for itself. */
function useLanguageActions(): readonly MenuAction[] {
  const dispatch = useDispatch();
  const language = useSelector(({ settings }: HostState) => settings.language);
  return useRegistry('locales')
    .filter(({ id }) => id !== (language === 'browser' ? pageLanguage() : language))
    .map(({ id, label }) => ({
      id: `language ${id}`,
      label,
      icon: 'globe',
      run: () => void dispatch(settingsSlice.actions.changed({ language: id })),
    }));
}

/** One or two letters: the initials of a name, or the first letter of an address. */
function initialsOf(name: string): string {
  const words = (name.split('@')[0] ?? '').split(/[\s._-]+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 32).toLocaleUpperCase())
    .join('');
}
