import { Menu } from 'primereact/menu';
import { useRegistry, useSession, useShell, useT, type MenuItem } from '@trellis/sdk/web';
import { useRef } from 'react';
import { messageOfError } from '../api/error-from-response.ts';
import { useHostParts } from '../host/host-parts-context.ts';
import { isShown } from './is-shown.ts';

/** Who is signed in, and what they may do about it. */
export function AccountMenu() {
  const t = useT();
  const menu = useRef<Menu>(null);
  const { user } = useSession();
  const { context } = useShell();
  const items = useRegistry('menuItems');
  const { diagnostics, registries, toasts } = useHostParts();
  const registry = registries.get('menuItems');
  const name = nameOf(user?.firstname, user?.lastname) ?? user?.email ?? '';

  async function run(item: MenuItem) {
    try {
      await item.run(context);
    } catch (error) {
      diagnostics.add(registry.ownerOf(item.id) ?? item.id, `menu item ${item.label}`, error);
      toasts.show({ severity: 'error', summary: t(item.label), detail: messageOfError(error) });
    }
  }

  const shown = items.filter(
    (item) => item.menu === 'account' && isShown(item, context, registry, diagnostics),
  );
  const model = [
    { template: <AccountHeader name={name} email={user?.email ?? ''} /> },
    { separator: true },
    ...shown.flatMap((item) => [
      ...(item.id === 'host.sign-out' ? [{ separator: true }] : []),
      {
        id: item.id,
        label: t(item.label),
        icon: item.icon === undefined ? undefined : `pi pi-${item.icon}`,
        command: () => void run(item),
      },
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
