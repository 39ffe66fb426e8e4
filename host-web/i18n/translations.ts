import { createInstance, type i18n } from 'i18next';
import { Emitter, toDisposable, type Disposable, type RegistryView } from '@trellis/core';
import type { Locale, MessageLoader, Translate } from '@trellis/sdk/web';
import { localisePrimeReact } from './primereact-locale.ts';

const namespace = 'translation';
/** What a text falls back to that a language lacks; English after it, whose texts are the keys. */
const fallback = 'zh_CN';

/** Params of errors that are texts themselves; all others are names and numbers. */
const explanations: ReadonlySet<string> = new Set(['description', 'problem', 'reason']);

/** The texts of one owner in one language. */
interface Source {
  readonly owner: string;
  readonly locale: string;
  readonly load: MessageLoader;
  /** Absent until they were needed and have come. */
  messages?: Readonly<Record<string, string>>;
  /** While they are on their way. */
  loading?: Promise<void> | undefined;
}

/**
 * Texts by language. The key of a text is the English text itself, so nothing is ever shown as a code.
 *
 * Languages come from the `locales` registry; their texts from whoever has texts, loaded when somebody reads the page in that
 * language. A text that a language lacks falls back to zh_CN and then to English.
 */
export class Translations {
  readonly #i18n: i18n = createInstance();
  readonly #changed = new Emitter<void>();
  readonly #locales: RegistryView<Locale>;
  readonly #onError: (error: unknown, owner: string) => void;
  readonly #sources = new Set<Source>();
  #language = 'en';
  #isLocalised = false;
  #translate: Translate;

  readonly onDidChange = this.#changed.event;

  constructor(locales: RegistryView<Locale>, onError: (error: unknown, owner: string) => void) {
    this.#locales = locales;
    this.#onError = onError;
    void this.#i18n.init({
      initAsync: false,
      lng: this.#language,
      fallbackLng: (code) => (code === 'en' ? [] : [fallback, 'en']),
      keySeparator: false,
      nsSeparator: false,
      // React escapes what it draws; twice would show the escapes.
      interpolation: { escapeValue: false },
      resources: { en: { [namespace]: {} } },
    });
    this.#translate = this.#bind();
    locales.onDidChange(() => this.#didChange());
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
    this.#loadNeeded();
    this.#didChange();
  }

  /** Resolves when all texts that are on their way are there, or could not be had. */
  async settled(): Promise<void> {
    await Promise.all([...this.#sources].flatMap(({ loading }) => loading ?? []));
  }

  /** Adds the texts that an owner has in a language. */
  addMessages(owner: string, locale: string, load: MessageLoader): Disposable {
    const source: Source = { owner, locale, load };
    this.#sources.add(source);
    this.#loadNeeded();
    return toDisposable(() => {
      this.#sources.delete(source);
      if (source.messages !== undefined) this.#didLoad(locale);
    });
  }

  /** The text of an error in this language, by its code; without one, the server's own words. */
  ofError(code: string | undefined, params: Readonly<Record<string, unknown>>, message: string): string {
    const key = `error.${code ?? ''}`;
    if (!this.#i18n.exists(key)) return message;
    // What a type or a plugin found wrong is a text of its own within the error's.
    const texts = Object.entries(params).map(([name, value]) => [
      name,
      explanations.has(name) && typeof value === 'string' ? this.#translate(value) : value,
    ]);
    return this.#i18n.t(key, Object.fromEntries(texts) as typeof params);
  }

  #loadNeeded(): void {
    const needed = this.#language === 'en' ? ['en'] : [this.#language, fallback, 'en'];
    for (const source of this.#sources) {
      if (source.loading || source.messages !== undefined || !needed.includes(source.locale)) continue;
      source.loading = this.#load(source);
    }
  }

  async #load(source: Source): Promise<void> {
    try {
      source.messages = (await source.load()).default;
      if (this.#sources.has(source)) this.#didLoad(source.locale);
    } catch (error) {
      // The page goes on with the texts that it has.
      this.#onError(error, source.owner);
    } finally {
      source.loading = undefined;
    }
  }

  /** Puts the texts of a language together anew; of two for one key, that of whoever came first holds. */
  #didLoad(locale: string): void {
    const all = [...this.#sources].filter((source) => source.locale === locale).toReversed();
    const messages = Object.assign({}, ...all.map((source) => source.messages)) as Record<string, string>;
    this.#i18n.removeResourceBundle(locale, namespace);
    this.#i18n.addResourceBundle(locale, namespace, messages);
    this.#didChange();
  }

  #didChange(): void {
    void this.#i18n.changeLanguage(this.#language);
    const root = document.documentElement;
    root.lang = this.#language.replace('_', '-');
    root.dir = this.#locales.get(this.#language)?.dir ?? 'ltr';
    this.#translate = this.#bind();
    // English is what PrimeReact speaks by itself.
    if (this.#language !== 'en' || this.#isLocalised) {
      this.#isLocalised = true;
      localisePrimeReact(root.lang, this.#translate).catch((error) => this.#onError(error, 'host'));
    }
    this.#changed.fire();
  }

  #bind(): Translate {
    const fixed = this.#i18n.getFixedT(this.#language);
    return (text, values) => {
      if (values?.count === undefined) return fixed(text, { ...values });
      const { one = text, ...rest } = values;
      return fixed(text, {
        ...rest,
        count: Number(values.count),
        defaultValue_one: one,
        defaultValue_other: text,
      });
    };
  }
}
