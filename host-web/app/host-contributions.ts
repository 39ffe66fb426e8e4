import { hostOwner } from '../i18n/translations.ts';
import { DisposableStore, type Disposable } from '@trellis/core';
import { dashboardRoute, lazyPart, type WebRegistries } from '@trellis/sdk/web';
import { ErrorCodePage } from '../pages/ErrorCodePage.tsx';
import { IndexPage } from '../pages/IndexPage.tsx';
import { layouts } from '../shell/layouts.tsx';
import { builtInThemes } from '../theme/built-in-themes.ts';
import type { HostParts } from './host-parts.ts';

const DashboardPage = lazyPart(async () => ({
  default: (await import('../pages/DashboardPage.tsx')).DashboardPage,
}));
const AppearancePanel = lazyPart(async () => ({
  default: (await import('../pages/settings/AppearancePanel.tsx')).AppearancePanel,
}));
const VersionPanel = lazyPart(async () => ({
  default: (await import('../pages/settings/VersionPanel.tsx')).VersionPanel,
}));
const DiagnosticsPanel = lazyPart(async () => ({
  default: (await import('../pages/settings/DiagnosticsPanel.tsx')).DiagnosticsPanel,
}));

/** Registers the shell's own items through the registries that plugins use. */
export function registerHostContributions(parts: HostParts): Disposable {
  const store = new DisposableStore();
  const register = <Id extends keyof WebRegistries>(id: Id, items: readonly WebRegistries[Id][]) => {
    for (const item of items) store.add(parts.registries.get(id).register(item, hostOwner));
  };
  const { shell, session, leaveGuard } = parts;
  const nextTheme = () => {
    const ids = parts.registries
      .get('themes')
      .list()
      .map(({ id }) => id);
    const at = ids.indexOf(shell.themeId);
    shell.setTheme(ids[(at + 1) % ids.length] ?? 'default');
  };

  register('layouts', layouts);
  register('routes', [
    { id: 'host.index', path: '/', access: 'everyone', Component: IndexPage },
    { id: dashboardRoute, path: '/nc/:projectId', Component: DashboardPage },
    { id: 'host.error', path: '/error/:code', access: 'everyone', layout: 'error', Component: ErrorCodePage },
  ]);
  register('themes', builtInThemes);
  register('locales', [
    { id: 'en', label: 'English' },
    { id: 'de', label: 'Deutsch' },
  ]);
  store.add(
    parts.translations.addMessages(
      hostOwner,
      'de',
      () => import('../i18n/messages/de.json', { with: { type: 'json' } }),
    ),
  );
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
      inDialogs: true,
      run: () => shell.setDark(!shell.dark),
    },
    { id: 'host.next-theme', label: 'Next theme', keys: 'alt+shift+t', inDialogs: true, run: nextTheme },
    { id: 'host.settings', label: 'Open settings', keys: 'mod+,', run: () => shell.openSettings() },
  ]);
  register('menuItems', [
    {
      id: 'host.settings',
      menu: 'account',
      label: 'Settings',
      icon: 'cog',
      order: 10,
      run: () => shell.openSettings(),
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
      run: async () => {
        if (await leaveGuard.leavesPage()) await session.signOut();
      },
    },
  ]);
  return store;
}
