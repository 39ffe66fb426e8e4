import type { RegistryView } from '@trellis/core';
import type { Locale } from '@trellis/sdk/web';

/** The browser's first language that the page has, regardless of the country; English if it has none of them. */
export function languageOfBrowser(locales: RegistryView<Locale>): string {
  const known = locales.list().map(({ id }) => id);
  const matches = (id: string, wanted: string) => id.replace('_', '-').toLowerCase() === wanted.toLowerCase();
  for (const wanted of navigator.languages) {
    const [language = wanted] = wanted.split('-');
    const found = known.find((id) => matches(id, wanted)) ?? known.find((id) => matches(id, language));
    if (found !== undefined) return found;
  }
  return 'en';
}
