import { createInstance, type i18n } from 'i18next';
import { Emitter, toDisposable, type Disposable, type RegistryView } from '@trellis/core';
import type { Locale, MessageLoader, Translate } from '@trellis/sdk/web';
import { localisePrimeReact } from './primereact-locale.ts';

/** Whose messages the page's own are. */
export const hostOwner = 'host';

/** The messages of all owners together. */
const everybody = 'all';
const namespaceOf = (owner: string) => `of ${owner}`;
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

/** The texts of one owner. */
export interface OwnTexts {
  /** For what the owner draws: its own messages first, then the host's, then those of all others. */
  readonly t: Translate;
  /** For parts that owners share: the host's messages first. */
  readonly sharedT: Translate;
}

/**
 * Texts by language. The key of a text is the English text itself, so nothing is ever shown as a code.
 *
 * Languages come from the `locales` registry; their texts from whoever has texts, loaded when somebody reads the page in that
 * language. A text that a language lacks falls back to zh_CN and then to English.
 *
 * Two owners may mean different things by one English word, so each has its own messages first, and nobody changes the host's words. What
 * an owner draws in the name of another one, such as the label of a column type, is found among the messages of all.
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
  #textsOf: (owner: string) => OwnTexts;

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
      resources: { en: {} },
    });
    this.#textsOf = this.#bindOwners();
    this.#translate = this.#textsOf(hostOwner).t;
    locales.onDidChange(() => this.#didChange());
  }

  /** The host's. A new function whenever the texts changed, so that what was drawn with the old one is drawn again. */
  get translate(): Translate {
    return this.#translate;
  }

  /** The texts of each owner. A new function whenever they changed. */
  get textsOf(): (owner: string) => OwnTexts {
    return this.#textsOf;
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
      if (source.messages !== undefined) this.#didLoad(owner, locale);
    });
  }

  /** The text of an error in this language, by its code; without one, the server's own words. */
  ofError(code: string | undefined, given: Readonly<Record<string, unknown>>, message: string): string {
    // Clients of the v1 API know these by their text, which is none for people.
    if (code?.startsWith('VALUE_INVALID') === true && typeof given.problem === 'string')
      return this.ofError(
        code.replace('INVALID', 'REFUSED'),
        given,
        message.replace(/Validation failed : .*$/s, `“${String(given.column)}” ${given.problem}.`),
      );
    const key = `error.${code ?? ''}`;
    if (this.#translate(key) === key) return message;
    // A field is called what its form calls it.
    const { setting } = given;
    const params = typeof setting === 'string' ? { ...given, setting: this.#translate(setting) } : given;
    // What a type or a plugin found wrong is a text of its own within the error's.
    const texts = Object.entries(params).map(([name, value]) => [
      name,
      explanations.has(name) && typeof value === 'string' ? this.#explanation(value, params) : value,
    ]);
    return this.#translate(key, Object.fromEntries(texts) as Parameters<Translate>[1]);
  }

  /** A text within an error's: by its own code or its own params where it has them. */
  #explanation(text: string, params: Readonly<Record<string, unknown>>): string {
    if (text !== params.problem) return this.#translate(text);
    const { problemCode, problemMessage, problemParams } = params;
    if (typeof problemMessage === 'string')
      return this.#translate(problemMessage, Object(problemParams) as Parameters<Translate>[1]);
    const key = `error.${String(problemCode)}`;
    if (this.#translate(key) === key) return this.#translate(text);
    return this.#translate(key, params as Parameters<Translate>[1]);
  }

  #loadNeeded(): void {
    const needed = this.#needed();
    for (const source of this.#sources) {
      if (source.loading || source.messages !== undefined || !needed.includes(source.locale)) continue;
      source.loading = this.#load(source);
    }
  }

  async #load(source: Source): Promise<void> {
    try {
      source.messages = (await source.load()).default;
      if (this.#sources.has(source)) this.#didLoad(source.owner, source.locale);
    } catch (error) {
      // The page goes on with the texts that it has.
      this.#onError(error, source.owner);
    } finally {
      source.loading = undefined;
    }
  }

  /** The languages in which a text is looked for. */
  #needed(): readonly string[] {
    return this.#language === 'en' ? ['en'] : [this.#language, fallback, 'en'];
  }

  /** Puts the texts of an owner in a language together anew, and those of all; of two for one key, that of whoever came first holds. */
  #didLoad(owner: string, locale: string): void {
    const sources = [...this.#sources].filter((source) => source.locale === locale).toReversed();
    const put = (namespace: string, from: readonly Source[]) => {
      const messages = Object.assign({}, ...from.map((source) => source.messages)) as Record<string, string>;
      this.#i18n.removeResourceBundle(locale, namespace);
      this.#i18n.addResourceBundle(locale, namespace, messages);
    };
    put(
      namespaceOf(owner),
      sources.filter((source) => source.owner === owner),
    );
    put(everybody, sources);
    this.#didChange();
  }

  #didChange(): void {
    void this.#i18n.changeLanguage(this.#language);
    const root = document.documentElement;
    root.lang = this.#language.replace('_', '-');
    root.dir = this.#locales.get(this.#language)?.dir ?? 'ltr';
    this.#textsOf = this.#bindOwners();
    this.#translate = this.#textsOf(hostOwner).t;
    // English is what PrimeReact speaks by itself.
    if (this.#language !== 'en' || this.#isLocalised) {
      this.#isLocalised = true;
      localisePrimeReact(root.lang, this.#translate).catch((error) => this.#onError(error, 'host'));
    }
    this.#changed.fire();
  }

  #bindOwners(): (owner: string) => OwnTexts {
    const bound = new Map<string, OwnTexts>();
    return (owner) => {
      let texts = bound.get(owner);
      if (texts === undefined) {
        const [own, host] = [namespaceOf(owner), namespaceOf(hostOwner)];
        const t = this.#bind([own, host, everybody]);
        texts = { t, sharedT: owner === hostOwner ? t : this.#bind([host, own, everybody]) };
        bound.set(owner, texts);
      }
      return texts;
    };
  }

  /** The first of these namespaces that has a text in the language; then the first that has it in the language that it falls back to. */
  #bind(namespaces: readonly string[]): Translate {
    const places = this.#needed().flatMap((lng) => namespaces.map((ns) => ({ lng, ns, fallbackLng: [] })));
    return (text, values) => {
      const place = places.find((of) => this.#i18n.exists(text, { ...values, ...of }));
      const at = place ?? { lng: this.#language, ns: everybody };
      if (values?.count === undefined) return this.#i18n.t(text, { ...values, ...at });
      const { one = text, ...rest } = values;
      return this.#i18n.t(text, {
        ...rest,
        ...at,
        count: Number(values.count),
        defaultValue_one: one,
        defaultValue_other: text,
      });
    };
  }
}
