import type { RegistryView } from '@trellis/core';
import type { Theme } from '@trellis/sdk/web';
import { readableOn } from './readable-on.ts';
import { onChange, type HostStore } from '../store/store.ts';
import type { SettingsState } from '../store/settings-slice.ts';

export const customThemeId = 'custom';
const prefix = '--trellis-';
/** A value that cannot leave its declaration: no `url()`, no second property. */
const safeValue = /^[#\w\s.,%()/-]{1,120}$/;

/**
 * Puts the chosen theme on the document.
 *
 * Light and dark are an attribute that the style sheets look at; a theme is a set of custom properties over them. Both are
 * set through the object model, which a content-security policy does not touch.
 */
export class ThemeController {
  readonly #store: HostStore;
  readonly #themes: RegistryView<Theme>;
  readonly #root: HTMLElement;
  #applied: readonly string[] = [];

  constructor(store: HostStore, themes: RegistryView<Theme>, root: HTMLElement = document.documentElement) {
    this.#store = store;
    this.#themes = themes;
    this.#root = root;
    onChange(
      store,
      ({ settings }) => ({ dark: settings.dark, id: settings.themeId, custom: settings.customTheme }),
      () => this.apply(),
    );
    themes.onDidChange(() => this.apply());
    this.apply();
  }

  apply(): void {
    const { settings } = this.#store.getState();
    this.#root.dataset.theme = settings.dark ? 'dark' : 'light';
    for (const name of this.#applied) this.#root.style.removeProperty(name);
    const tokens = Object.entries(this.#tokens(settings)).filter(
      ([name, value]) => /^[a-z0-9-]+$/.test(name) && safeValue.test(value) && !/url/i.test(value),
    );
    for (const [name, value] of tokens) this.#root.style.setProperty(prefix + name, value);
    this.#applied = tokens.map(([name]) => prefix + name);
  }

  #tokens(settings: SettingsState): Readonly<Record<string, string>> {
    const theme = this.#themes.get(settings.themeId);
    const chosen = settings.dark ? theme?.dark : theme?.light;
    const tokens = settings.themeId === customThemeId ? settings.customTheme : (chosen ?? {});
    const contrast = tokens.primary === undefined ? undefined : readableOn(tokens.primary);
    return contrast === undefined ? tokens : { 'primary-contrast': contrast, ...tokens };
  }
}
