import { Emitter, type RegistryView } from '@trellis/core';
import type { Theme } from '@trellis/sdk/web';
import { readableOn } from './readable-on.ts';
import { onChange, type HostStore } from '../store/store.ts';
import type { SettingsState } from '../store/settings-slice.ts';

export const customThemeId = 'custom';
/** Whether the system is set to dark; a media query. */
export type SystemScheme = Pick<MediaQueryList, 'matches' | 'addEventListener'>;

function systemScheme(): SystemScheme | undefined {
  // Absent where pages are tested without a screen.
  return typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : undefined;
}

const prefix = '--trellis-';
/** Matches a value that cannot break out of its declaration: no `url()`, no second property. */
const safeValue = /^[#\w\s.,%()/-]{1,120}$/;

/**
 * Applies the chosen theme to the document.
 *
 * Light and dark are an attribute that the style sheets select; a theme is a set of custom properties. Both are set through the
 * object model, which no content security policy restricts.
 */
export class ThemeController {
  readonly #store: HostStore;
  readonly #themes: RegistryView<Theme>;
  readonly #root: HTMLElement;
  readonly #system: SystemScheme | undefined;
  readonly #changed = new Emitter<void>();
  #isDark = false;
  #applied: readonly string[] = [];

  /** After a change between light and dark, by a person or their system. */
  readonly onDidChange = this.#changed.event;

  constructor(
    store: HostStore,
    themes: RegistryView<Theme>,
    root: HTMLElement = document.documentElement,
    system: SystemScheme | undefined = systemScheme(),
  ) {
    this.#store = store;
    this.#themes = themes;
    this.#root = root;
    this.#system = system;
    onChange(
      store,
      ({ settings }) => ({ mode: settings.mode, id: settings.themeId, custom: settings.customTheme }),
      () => this.apply(),
    );
    themes.onDidChange(() => this.apply());
    system?.addEventListener('change', () => this.apply());
    this.apply();
  }

  get isDark(): boolean {
    return this.#isDark;
  }

  apply(): void {
    const { settings } = this.#store.getState();
    const { mode } = settings;
    const wasDark = this.#isDark;
    this.#isDark = mode === 'system' ? this.#system?.matches === true : mode === 'dark';
    this.#root.dataset.theme = this.#isDark ? 'dark' : 'light';
    for (const name of this.#applied) this.#root.style.removeProperty(name);
    const tokens = Object.entries(this.#tokens(settings)).filter(
      ([name, value]) => /^[a-z0-9-]+$/.test(name) && safeValue.test(value) && !/url/i.test(value),
    );
    for (const [name, value] of tokens) this.#root.style.setProperty(prefix + name, value);
    this.#applied = tokens.map(([name]) => prefix + name);
    if (wasDark !== this.#isDark) this.#changed.fire();
  }

  #tokens(settings: SettingsState): Readonly<Record<string, string>> {
    const half = this.#isDark ? 'dark' : 'light';
    const theme = this.#themes.get(settings.themeId);
    const tokens = settings.themeId === customThemeId ? settings.customTheme[half] : (theme?.[half] ?? {});
    const contrast = tokens.primary === undefined ? undefined : readableOn(tokens.primary);
    return contrast === undefined ? tokens : { 'primary-contrast': contrast, ...tokens };
  }
}
