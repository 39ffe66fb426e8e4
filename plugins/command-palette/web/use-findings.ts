import {
  keysOf,
  keysText,
  runContribution,
  useContributions,
  useHost,
  useRegistry,
  useSession,
  useShell,
  type SearchResult,
  type WebRoute,
} from '@trellis/sdk/web';
import type { SearchOption } from '@trellis/sdk/web/ui';
import { useEffect, useState } from 'react';

/** Something with a name, and what choosing it does. */
export interface Finding extends SearchOption {
  open(): void;
}

/** Everything that can be found now: what the sources list, then pages, then commands. */
export function useFindings(): { readonly findings: readonly Finding[]; readonly isLoading: boolean } {
  const { results, isLoading } = useSourceResults();
  const pages = usePages();
  const commands = useCommands();
  return { findings: [...results, ...pages, ...commands], isLoading };
}

/** What each source lists. One that fails lists nothing, and its plugin is told of. */
function useSourceResults() {
  const host = useHost();
  const { context } = useShell();
  const sources = useContributions('searchSources');
  const [lists, setLists] = useState<ReadonlyMap<string, readonly SearchResult[]>>(new Map());
  const ids = sources.map(({ id }) => id).join(' ');

  useEffect(() => {
    const ended = new AbortController();
    async function read(source: (typeof sources)[number]) {
      let found: readonly SearchResult[] = [];
      try {
        found = await source.list(context, { ...host, signal: ended.signal });
      } catch (error) {
        if (ended.signal.aborted) return;
        host.reportError({ registry: 'searchSources', id: source.id }, 'list()', error);
      }
      if (!ended.signal.aborted) setLists((before) => new Map(before).set(source.id, found));
    }
    for (const source of sources) void read(source);
    return () => ended.abort();
    // eslint-disable-next-line react/exhaustive-deps -- the palette lists what was there when it was opened
  }, [ids]);

  const results = sources.flatMap((source): readonly Finding[] =>
    (lists.get(source.id) ?? []).map((result) => ({
      ...result,
      id: `${source.id} ${result.id}`,
      group: host.t(source.label),
      open: () => result.open(host),
    })),
  );
  return { results, isLoading: lists.size < sources.length };
}

/** The pages that a person can go to: those with a title and without a parameter in their path. */
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
  // Signing in, a new password: pages that stand alone, to which others lead.
  if (access === 'everyone' && layout === 'empty') return false;
  return access !== 'superAdmin' || superAdmin;
}

/** The commands, one category after the other. */
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
