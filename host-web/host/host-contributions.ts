import { DisposableStore, type Disposable } from '@trellis/core';
import type { WebRegistries } from '@trellis/sdk/web';
import { lazy } from 'react';
import { DefaultLayout } from '../layouts/DefaultLayout.tsx';
import { EmptyLayout } from '../layouts/EmptyLayout.tsx';
import { ErrorLayout } from '../layouts/ErrorLayout.tsx';
import { PublicLayout } from '../layouts/PublicLayout.tsx';
import { RpaLayout } from '../layouts/RpaLayout.tsx';
import { SharedLayout } from '../layouts/SharedLayout.tsx';
import { DashboardPage } from '../pages/DashboardPage.tsx';
import { ErrorCodePage } from '../pages/ErrorCodePage.tsx';
import { IndexPage } from '../pages/IndexPage.tsx';
import { settingsDialog } from '../settings/settings-dialog-state.ts';
import { customThemeId } from '../theme/theme-controller.ts';
import { builtInThemes } from '../theme/built-in-themes.ts';
import type { HostParts } from './create-web-host.ts';

/** The owner of what the shell itself contributes. */
const hostOwner = 'host';

const AppearancePanel = lazy(async () => ({
  default: (await import('../settings/AppearancePanel.tsx')).AppearancePanel,
}));
const VersionPanel = lazy(async () => ({
  default: (await import('../settings/VersionPanel.tsx')).VersionPanel,
}));
const DiagnosticsPanel = lazy(async () => ({
  default: (await import('../settings/DiagnosticsPanel.tsx')).DiagnosticsPanel,
}));

/** Registers what the shell brings along, through the same registries that plugins use. */
export function registerHostContributions(parts: HostParts): Disposable {
  const store = new DisposableStore();
  const register = <Id extends keyof WebRegistries>(id: Id, items: readonly WebRegistries[Id][]) => {
    for (const item of items) store.add(parts.registries.get(id).register(item, hostOwner));
  };
  const { shell, session } = parts;
  const nextTheme = () => {
    const ids = [
      ...parts.registries
        .get('themes')
        .list()
        .map(({ id }) => id),
      customThemeId,
    ];
    const at = ids.indexOf(shell.themeId);
    shell.setTheme(ids[(at + 1) % ids.length] ?? 'default');
  };

  register('layouts', [
    { id: 'default', Component: DefaultLayout },
    { id: 'empty', Component: EmptyLayout },
    { id: 'error', Component: ErrorLayout },
    { id: 'public', Component: PublicLayout },
    { id: 'rpa', Component: RpaLayout },
    { id: 'shared', Component: SharedLayout },
  ]);
  register('routes', [
    { id: 'host.index', path: '/', access: 'everyone', Component: IndexPage },
    { id: 'host.dashboard', path: '/nc/:projectId', Component: DashboardPage },
    { id: 'host.error', path: '/error/:code', access: 'everyone', layout: 'error', Component: ErrorCodePage },
  ]);
  register('themes', builtInThemes);
  register('locales', [{ id: 'en', label: 'English', messages: {} }]);
  register('settingsPanels', [
    { id: 'host.appearance', label: 'Appearance', icon: 'palette', order: 10, Component: AppearancePanel },
    { id: 'host.version', label: 'Version & Updates', icon: 'sync', order: 900, Component: VersionPanel },
    {
      id: 'host.diagnostics',
      label: 'Diagnostics',
      icon: 'wrench',
      order: 950,
      when: ({ superAdmin }) => superAdmin,
      Component: DiagnosticsPanel,
    },
  ]);
  register('commands', [
    {
      id: 'host.toggle-dark',
      label: 'Switch between light and dark',
      keys: 'alt+shift+d',
      run: () => shell.setDark(!shell.dark),
    },
    { id: 'host.next-theme', label: 'Next theme', keys: 'alt+shift+t', run: nextTheme },
    { id: 'host.settings', label: 'Open settings', keys: 'mod+,', run: () => settingsDialog.open() },
  ]);
  register('menuItems', [
    {
      id: 'host.settings',
      menu: 'account',
      label: 'Settings',
      icon: 'cog',
      order: 10,
      run: () => settingsDialog.open(),
    },
    {
      id: 'host.themes',
      menu: 'account',
      label: 'Light or dark',
      icon: 'moon',
      order: 50,
      run: () => shell.setDark(!shell.dark),
    },
    {
      id: 'host.sign-out',
      menu: 'account',
      label: 'Sign out',
      icon: 'sign-out',
      order: 1000,
      run: () => session.signOut(),
    },
  ]);
  return store;
}
