import {
  ApiError,
  keysOf,
  keysText,
  runContribution,
  useContributions,
  useHost,
  useRegistry,
  useSession,
  useShell,
  type SearchResult,
  type SearchSource,
  type WebRoute,
} from '@trellis/sdk/web';
import type { SearchOption } from '@trellis/sdk/web/ui';
import { useEffect, useState } from 'react';

/** A named entry, and what choosing it does. */
export interface Finding extends SearchOption {
  open(): void;
}

/** Milliseconds after the last key before sources are asked. */
const pause = 150;

/** All entries: what the sources list and find by the text, then pages, then commands. */
export function useFindings(text: string): {
  readonly findings: readonly Finding[];
  readonly isLoading: boolean;
} {
  const host = useHost();
  const sources = useContributions('searchSources');
  const listed = useListed(sources);
  const found = useFound(sources, text);
  const pages = usePages();
  const commands = useCommands();
  const findingsOf = (results: Results) =>
    sources.flatMap((source): readonly Finding[] =>
      (results.get(source.id) ?? []).map((result) => ({
        ...result,
        id: `${source.id} ${result.id}`,
        group: host.t(source.label),
        open: () => result.open(host),
      })),
    );
  const isLoading =
    listed.size < sources.length || sources.some(({ id, find }) => find && text !== '' && !found.has(id));
  // Search results arrive later and must not move what a person is about to choose.
  return { findings: [...findingsOf(listed), ...pages, ...commands, ...findingsOf(found)], isLoading };
}

type Results = ReadonlyMap<string, readonly SearchResult[]>;

/** What each source lists. A failing source lists nothing, and its plugin's error is reported. */
function useListed(sources: readonly SearchSource[]): Results {
  const host = useHost();
  const { context } = useShell();
  const [lists, setLists] = useState<Results>(new Map());
  const ids = sources.map(({ id }) => id).join(' ');

  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    for (const source of sources) {
      const list = () => source.list(context, { ...host, signal });
      void read(host, source, 'list()', { list, signal, set: setLists });
    }
    return () => ended.abort();
    // eslint-disable-next-line react/exhaustive-deps -- the palette lists what was there when it was opened
  }, [ids]);
  return lists;
}

/** What the sources find by a text; sources that have not answered yet are missing. */
function useFound(sources: readonly SearchSource[], text: string): Results {
  const host = useHost();
  const { context } = useShell();
  const [found, setFound] = useState<Results>(new Map());
  const [foundFor, setFoundFor] = useState(text);
  const ids = sources.map(({ id }) => id).join(' ');
  if (foundFor !== text) {
    setFoundFor(text);
    setFound(new Map());
  }

  useEffect(() => {
    if (text === '') return undefined;
    const ended = new AbortController();
    const { signal } = ended;
    const timer = setTimeout(() => {
      for (const source of sources) {
        const list = () => source.find?.(text, context, { ...host, signal });
        if (source.find) void read(host, source, 'find()', { list, signal, set: setFound });
      }
    }, pause);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
    // eslint-disable-next-line react/exhaustive-deps -- a text is looked for once in each source
  }, [text, ids]);
  return found;
}

async function read(
  host: ReturnType<typeof useHost>,
  { id }: SearchSource,
  call: string,
  {
    list,
    signal,
    set,
  }: {
    readonly list: () => Promise<readonly SearchResult[]> | undefined;
    readonly signal: AbortSignal;
    readonly set: (change: (before: Results) => Results) => void;
  },
): Promise<void> {
  let results: readonly SearchResult[] = [];
  try {
    results = (await list()) ?? [];
  } catch (error) {
    if (signal.aborted) return;
    // An unanswered call is not the plugin's fault.
    if (!(error instanceof ApiError)) host.reportError({ registry: 'searchSources', id }, call, error);
  }
  if (!signal.aborted) set((before) => new Map(before).set(id, results));
}

/** The pages that a person can open: those with a title and without a path parameter. */
function usePages(): readonly Finding[] {
  const { t, navigate } = useHost();
  const { superAdmin } = useSession();
  const routes = useRegistry('routes');
  const titles = new Set<string>();
  return routes.flatMap((route): readonly Finding[] => {
    const { id, title, path } = route;
    if (title === undefined || titles.has(title) || !canGoTo(route, superAdmin)) return [];
    titles.add(title);
    return [
      { id: `page ${id}`, label: t(title), icon: 'file', group: t('Pages'), open: () => navigate(path) },
    ];
  });
}

function canGoTo({ path, access, layout }: WebRoute, superAdmin: boolean): boolean {
  if (/[:*]/.test(path) || access === 'guest') return false;
  // Pages such as signing in or a new password are reached only from others.
  if (access === 'everyone' && layout === 'empty') return false;
  return access !== 'superAdmin' || superAdmin;
}

/** The commands, by category. */
function useCommands(): readonly Finding[] {
  const host = useHost();
  const { context } = useShell();
  const commands = useContributions('commands', ({ id }) => id !== 'palette.open');
  const categories = [...new Set(commands.map(({ category }) => category ?? 'Commands'))];
  return categories.flatMap((category) =>
    commands
      .filter((command) => (command.category ?? 'Commands') === category)
      .map((command) => ({
        id: `command ${command.id}`,
        label: host.t(command.label),
        icon: command.icon ?? 'bolt',
        group: host.t(category),
        hint: keysOf(command)
          .slice(0, 1)
          .map((keys) => keysText(keys, host.t))[0],
        open: () => void runContribution(host, 'commands', command, context),
      })),
  );
}
