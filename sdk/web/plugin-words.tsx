import { useMemo, type ReactNode } from 'react';
import type { Translate } from './context.ts';
import { useHost, useServerData, WebHostContext } from './host.tsx';
import { pageLanguage } from './ui/page-language.ts';

/** By plugin id: English text to translated text. */
type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The page's locale in the form of message files; undefined for the language of manifests, English. @public */
export function foreignLocale(): string | undefined {
  const locale = (pageLanguage() ?? '').replace('-', '_');
  return locale === '' || /^en(_|$)/.test(locale) ? undefined : locale;
}

/**
 * The texts of a plugin: its manifest texts in the language of the page (`messages/<locale>.json` beside its manifest), even if it
 * is off or has no web half, then those of the page.
 *
 * @public
 */
export function useWordsOf(): (plugin: { readonly id: string }) => Translate {
  const { t } = useHost();
  const locale = foreignLocale();
  const { data } = useServerData<{ readonly words: Words }>(
    locale === undefined ? undefined : { path: '/api/v1/app-store/words', query: { locale } },
    { tags: ['plugins'] },
  );
  const words = locale === undefined ? undefined : data?.words;
  return useMemo(
    () =>
      ({ id }) => {
        const own = words?.[id];
        return (text, values) =>
          own !== undefined && values === undefined && Object.hasOwn(own, text)
            ? (own[text] ?? text)
            : t(text, values);
      },
    [t, words],
  );
}

/** Draws its children with the texts of a plugin: for forms of its settings, which only the server half knows. @public */
export function InWordsOf({
  plugin,
  children,
}: {
  readonly plugin: { readonly id: string };
  readonly children: ReactNode;
}) {
  const host = useHost();
  const t = useWordsOf()(plugin);
  return <WebHostContext value={{ ...host, t }}>{children}</WebHostContext>;
}
