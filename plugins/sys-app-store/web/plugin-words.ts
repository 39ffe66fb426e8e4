import type { PluginEntity } from '@trellis/sdk/shared';
import { foreignLocale, useWordsOf, type ApiClient } from '@trellis/sdk/web';
import { useCallback } from 'react';
import type { OfferedProposal } from '../shared/index.ts';

/** A proposal in the language of the page. */
export interface TranslatedProposal extends OfferedProposal {
  /** The name as its manifest says it, by which the server calls it. */
  readonly manifestName: string;
}

/** What a plugin that was brought says of itself in the language of the page; as its manifest does where it has no words for that. */
export async function inOwnWords(api: ApiClient, proposal: OfferedProposal): Promise<TranslatedProposal> {
  const locale = foreignLocale();
  const { name: manifestName } = proposal;
  if (locale === undefined) return { ...proposal, manifestName };
  const path = `/api/v1/app-store/proposals/${encodeURIComponent(proposal.ticket)}/words`;
  const { words } = await api.request<{ readonly words: Readonly<Record<string, string>> }>({
    path,
    query: { locale },
  });
  const own = (text: string) => (Object.hasOwn(words, text) ? (words[text] ?? text) : text);
  const labels = Object.entries(proposal.labels).map(
    ([registry, ofItems]) =>
      [registry, Object.fromEntries(Object.entries(ofItems).map(([id, label]) => [id, own(label)]))] as const,
  );
  return {
    ...proposal,
    manifestName,
    name: own(proposal.name),
    description: own(proposal.description),
    labels: Object.fromEntries(labels),
    settings: proposal.settings.map(own),
    requiredSettings: proposal.requiredSettings.map(own),
  };
}

/** By which a message about a plugin takes the place of the one before. */
export function toastSubject(id: string): string {
  return `plugin ${id}`;
}

/** What people call a plugin in the language of the page. */
export function useNameOf(): (plugin: Pick<PluginEntity, 'id' | 'name'>) => string {
  const wordsOf = useWordsOf();
  return useCallback((plugin) => wordsOf(plugin)(plugin.name), [wordsOf]);
}
