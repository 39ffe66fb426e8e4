import { defineErrors, type PluginManifest } from '@trellis/core';
import { pluginAskKinds, pluginAsks, type PluginAsks } from '@trellis/sdk/shared';
import { isListedHost } from '../listed-hosts.ts';

const consentErrors = defineErrors({
  PLUGIN_NEEDS_CONSENT: {
    status: 409,
    message: "'{plugin}' asks for what nobody has agreed to yet; somebody must agree to that first: {items}",
  },
});

/** What somebody agreed to. A kind that is absent is one that nobody was asked about, as in a note from before there was this kind. */
export type Consent = Partial<PluginAsks>;

const nothing: PluginAsks = { paths: [], hosts: [], permissions: [], tables: [] };

/** What a plugin asks for and nobody agreed to. */
export function unagreedAsks(manifest: PluginManifest | undefined, consent: Consent = {}): PluginAsks {
  if (manifest === undefined) return nothing;
  return eachKind(pluginAsks(manifest), (items, kind) => {
    const agreed = consent[kind] ?? [];
    const isAgreed = (item: string) =>
      kind === 'hosts' ? agreed.some((listed) => isListedHost(item, listed)) : agreed.includes(item);
    return items.filter((item) => !isAgreed(item));
  });
}

export function asksForNothing(asks: PluginAsks): boolean {
  return pluginAskKinds.every((kind) => asks[kind].length === 0);
}

/** @throws TrellisError `PLUGIN_NEEDS_CONSENT` where there is something that nobody agreed to; its `unagreed` tells what, by kind. */
export function assertAgreed(manifest: PluginManifest | undefined, unagreed: PluginAsks): void {
  if (asksForNothing(unagreed)) return;
  throw consentErrors.create('PLUGIN_NEEDS_CONSENT', {
    plugin: manifest?.name,
    items: pluginAskKinds.flatMap((kind) => unagreed[kind]).join(', '),
    unagreed,
  });
}

/** Both together, with every kind. */
export function joinConsent(before: Consent = {}, more: Consent = {}): PluginAsks {
  return eachKind(nothing, (_none, kind) => [...new Set([...(before[kind] ?? []), ...(more[kind] ?? [])])]);
}

const words: Readonly<Record<keyof PluginAsks, string>> = {
  paths: 'serve the addresses',
  hosts: 'call the hosts',
  permissions: 'have',
  tables: 'make the tables',
};

/** For the log, and for notices: "serve the addresses /a, /b and call the hosts c.test"; empty where it asks for nothing. */
export function describeAsks(asks: PluginAsks): string {
  return pluginAskKinds
    .filter((kind) => asks[kind].length > 0)
    .map((kind) => `${words[kind]} ${asks[kind].join(', ')}`)
    .join(' and ');
}

function eachKind(
  asks: PluginAsks,
  change: (items: readonly string[], kind: keyof PluginAsks) => readonly string[],
): PluginAsks {
  const { paths, hosts, permissions, tables } = asks;
  return {
    paths: change(paths, 'paths'),
    hosts: change(hosts, 'hosts'),
    permissions: change(permissions, 'permissions'),
    tables: change(tables, 'tables'),
  };
}
