import type { PluginEntity } from '@trellis/sdk/shared';
import { useHost, useServerData, WebHostContext, type Translate } from '@trellis/sdk/web';
import { pageLanguage } from '@trellis/sdk/web/ui';
import { createContext, useContext, useMemo, type ReactNode } from 'react';

/** By the id of a plugin: English text to translated text. */
type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;

const WordsContext = createContext<Words>({});

/** What plugins say of themselves in the language of the page, for all that is drawn below. */
export function PluginWordsProvider({ children }: { readonly children: ReactNode }) {
  const locale = (pageLanguage() ?? '').replace('-', '_');
  const isEnglish = locale === '' || /^en(_|$)/.test(locale);
  const { data } = useServerData<{ readonly words: Words }>(
    isEnglish ? undefined : { path: '/api/v1/app-store/words', query: { locale } },
    { tags: ['plugins'] },
  );
  return <WordsContext value={(!isEnglish && data?.words) || {}}>{children}</WordsContext>;
}

/** The texts of a plugin: its own words first, then those of the page. */
export function useWordsOf(): (plugin: Pick<PluginEntity, 'id'>) => Translate {
  const { t } = useHost();
  const words = useContext(WordsContext);
  return useMemo(
    () =>
      ({ id }) => {
        const own = words[id];
        return (text, values) =>
          own !== undefined && values === undefined && Object.hasOwn(own, text)
            ? (own[text] ?? text)
            : t(text, values);
      },
    [t, words],
  );
}

/** Has what is drawn below speak in the words of a plugin: forms of its settings among others. */
export function InWordsOf({
  plugin,
  children,
}: {
  readonly plugin: Pick<PluginEntity, 'id'>;
  readonly children: ReactNode;
}) {
  const host = useHost();
  const t = useWordsOf()(plugin);
  return <WebHostContext value={{ ...host, t }}>{children}</WebHostContext>;
}
