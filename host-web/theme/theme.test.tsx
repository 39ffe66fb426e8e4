import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createWebRegistries } from '@trellis/sdk/web';
import fc from 'fast-check';
import { createServerCache } from '../api/server-cache.ts';
import { LocalMirror } from '../store/local-mirror.ts';
import { PluginReducers } from '../store/plugin-reducers.ts';
import { settingsSlice } from '../store/settings-slice.ts';
import { createStore } from '../store/store.ts';
import { builtInThemes, defaultPrimary } from './built-in-themes.ts';
import { readableOn } from './readable-on.ts';
import { customThemeId, ThemeController, type SystemScheme } from './theme-controller.ts';

function createTheme(system?: SystemScheme) {
  const cache = createServerCache(() => {
    throw new Error('nothing is read here');
  });
  const store = createStore({
    cache,
    pluginReducers: new PluginReducers(),
    mirror: new LocalMirror(undefined),
  });
  const themes = createWebRegistries().get('themes');
  for (const theme of builtInThemes) themes.register(theme, 'host');
  const root = document.createElement('html');
  const theme = new ThemeController(store, themes, root, system);
  const choose = (settings: Parameters<typeof settingsSlice.actions.changed>[0]) =>
    store.dispatch(settingsSlice.actions.changed(settings));
  return { root, choose, themes, theme };
}

describe('a theme', () => {
  test('changes the tokens, and leaves nothing behind when another one is chosen', () => {
    const { root, choose } = createTheme();
    choose({ themeId: 'orange', mode: 'dark' });
    expect(root.dataset.theme).toBe('dark');
    expect(root.style.getPropertyValue('--trellis-primary')).toBe('#ff9a4d');
    choose({ themeId: 'default' });
    expect(root.getAttribute('style') ?? '').toBe('');
  });

  test('falls back to the default while its plugin is off', () => {
    const { root, choose, themes } = createTheme();
    choose({ themeId: 'ocean', mode: 'light' });
    expect(root.style.length).toBe(0);
    const plugin = themes.register(
      { id: 'ocean', label: 'Ocean', light: { accent: '#123456' }, dark: {} },
      'theme-ocean',
    );
    expect(root.style.getPropertyValue('--trellis-accent')).toBe('#123456');
    void plugin.dispose();
    expect(root.style.length).toBe(0);
  });

  test.each(['url(https://example.com/x)', 'red; background: url(//x)', 'expression(1)}', 'URL (x)'])(
    'cannot smuggle %s into the page',
    (value) => {
      const { root, choose } = createTheme();
      choose({
        themeId: customThemeId,
        mode: 'light',
        customTheme: { light: { primary: value, 'bad name': 'red' }, dark: {} },
      });
      expect(root.getAttribute('style') ?? '').not.toMatch(/url|background|expression|bad/i);
    },
  );

  test('is light or dark as the system is, until somebody chooses', () => {
    const system = Object.assign(new EventTarget(), { matches: true });
    const { root, choose, theme } = createTheme(system);
    const turn = (matches: boolean) => {
      system.matches = matches;
      system.dispatchEvent(new Event('change'));
    };
    expect([root.dataset.theme, theme.isDark]).toEqual(['dark', true]);
    turn(false);
    expect([root.dataset.theme, theme.isDark]).toEqual(['light', false]);
    choose({ mode: 'light' });
    turn(true);
    expect(root.dataset.theme).toBe('light');
    choose({ mode: 'system' });
    expect(root.dataset.theme).toBe('dark');
  });

  test('of our own is named as people were promised, and the swatch of the default one is true', () => {
    expect(builtInThemes.map(({ label }) => label)).toEqual(['Default', 'Orange', 'Strawberry', 'Grapes']);
    const sheet = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
    const primaries = [...sheet.matchAll(/--trellis-primary: (#[0-9a-f]{6});/g)].map(([, colour]) => colour);
    expect(primaries).toEqual([defaultPrimary.light, defaultPrimary.dark]);
  });

  test('always has letters that can be read on its primary colour', () => {
    const channel = fc.integer({ min: 0, max: 255 });
    const hex = (n: number) => n.toString(16).padStart(2, '0');
    const linear = (n: number) => (n / 255 <= 0.03928 ? n / 255 / 12.92 : ((n / 255 + 0.055) / 1.055) ** 2.4);
    fc.assert(
      fc.property(channel, channel, channel, (red, green, blue) => {
        const letters = readableOn(`#${hex(red)}${hex(green)}${hex(blue)}`);
        const light = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
        const contrast = letters === '#ffffff' ? 1.05 / (light + 0.05) : (light + 0.05) / 0.0558;
        expect(contrast).toBeGreaterThan(4.3);
      }),
    );
    expect(readableOn('var(--x)')).toBeUndefined();
  });
});
