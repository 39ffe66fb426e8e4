/** The language of the page for `Intl`; by default that of the browser. @public */
export function pageLanguage(): string | undefined {
  return document.documentElement.lang || undefined;
}

/** Whether the page is right-to-left. @public */
export function isRightToLeft(): boolean {
  return document.documentElement.dir === 'rtl';
}

/** The languages of the cached locale, and the locale. */
let last: readonly [key: string, locale: Intl.Locale] | undefined;

/**
 * The language of the page with the reader's country, if their browser names one in this language: `de-AT`. For formats that differ
 * between countries of one language.
 *
 * @public
 */
export function pageLocale(): Intl.Locale {
  const tag = pageLanguage() ?? 'en';
  const key = [tag, ...navigator.languages].join(' ');
  if (last?.[0] === key) return last[1];
  const page = new Intl.Locale(tag);
  const own = navigator.languages.flatMap((name) => {
    const locale = new Intl.Locale(name);
    return locale.language === page.language && locale.region !== undefined ? [locale] : [];
  });
  const { language, region = '' } = own[0] ?? page.maximize();
  last = [key, new Intl.Locale(region === '' ? language : `${language}-${region}`)];
  return last[1];
}
