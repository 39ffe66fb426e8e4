import { Menu } from 'primereact/menu';
import { useMenuActions, useSession, useT } from '@trellis/sdk/web';
import { useRef } from 'react';

/** Who is signed in, and what they may do about it. */
export function AccountMenu() {
  const t = useT();
  const menu = useRef<Menu>(null);
  const { user } = useSession();
  const actions = useMenuActions('account');
  const name = nameOf(user?.firstname, user?.lastname) ?? user?.email ?? '';

  const model = [
    { template: <AccountHeader name={name} email={user?.email ?? ''} /> },
    { separator: true },
    ...actions.flatMap(({ id, label, icon, run }) => [
      ...(id === 'host.sign-out' ? [{ separator: true }] : []),
      { id, label, icon: `pi pi-${icon}`, command: run },
    ]),
  ];
  return (
    <>
      <button
        type="button"
        className="tr-avatar"
        aria-haspopup="menu"
        aria-label={t('Account of {{name}}', { name })}
        onClick={(event) => menu.current?.toggle(event)}
      >
        {initialsOf(name)}
      </button>
      <Menu ref={menu} model={model} popup popupAlignment="right" className="tr-account-menu" />
    </>
  );
}

function AccountHeader({ name, email }: { readonly name: string; readonly email: string }) {
  return (
    <div className="tr-account-header">
      <strong>{name}</strong>
      {name !== email && <span>{email}</span>}
    </div>
  );
}

function nameOf(...parts: readonly (string | null | undefined)[]): string | undefined {
  const name = parts.filter(Boolean).join(' ');
  return name === '' ? undefined : name;
}

/** One or two letters: of a name's words, or the first of an address. */
function initialsOf(name: string): string {
  const words =
    name
      .split('@')[0]
      ?.split(/[\s._-]+/)
      .filter(Boolean) ?? [];
  return words
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 32).toLocaleUpperCase())
    .join('');
}
