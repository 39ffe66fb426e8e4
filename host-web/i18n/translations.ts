import { createInstance, type i18n } from 'i18next';
import { Emitter, type RegistryView } from '@trellis/core';
import type { Locale, Translate } from '@trellis/sdk/web';

const namespace = 'translation';

/**
 * Texts by language. The key of a text is the English text itself, so nothing is ever shown as a code.
 *
 * Languages come from the `locales` registry; a text that a language lacks falls back to zh_CN and then to English.
 */
export class Translations {
  readonly #i18n: i18n = createInstance();
  readonly #changed = new Emitter<void>();
  readonly #locales: RegistryView<Locale>;
  #known = new Map<string, Locale>();
  #language = 'en';
  #translate: Translate;

  readonly onDidChange = this.#changed.event;

  constructor(locales: RegistryView<Locale>) {
    this.#locales = locales;
    void this.#i18n.init({
      initAsync: false,
      lng: this.#language,
      fallbackLng: (code) => (code === 'en' ? [] : ['zh_CN', 'en']),
      keySeparator: false,
      nsSeparator: false,
      // React escapes what it draws; twice would show the escapes.
      interpolation: { escapeValue: false },
      resources: { en: { [namespace]: {} } },
    });
    this.#translate = this.#bind();
    locales.onDidChange(() => this.#load());
    this.#load();
  }

  /** A new function whenever the texts changed, so that what was drawn with the old one is drawn again. */
  get translate(): Translate {
    return this.#translate;
  }

  get language(): string {
    return this.#language;
  }

  setLanguage(id: string): void {
    if (id === this.#language) return;
    this.#language = id;
    this.#didChange();
  }

  #load(): void {
    const now = new Map(this.#locales.list().map((locale) => [locale.id, locale]));
    for (const [id] of this.#known) if (!now.has(id)) this.#i18n.removeResourceBundle(id, namespace);
    for (const [id, locale] of now) {
      if (this.#known.get(id) !== locale)
        this.#i18n.addResourceBundle(id, namespace, locale.messages, false, true);
    }
    this.#known = now;
    this.#didChange();
  }

  #didChange(): void {
    void this.#i18n.changeLanguage(this.#language);
    document.documentElement.lang = this.#language.replace('_', '-');
    this.#translate = this.#bind();
    this.#changed.fire();
  }

  #bind(): Translate {
    const fixed = this.#i18n.getFixedT(this.#language);
    return (text, values) => fixed(text, { ...values });
  }
}
