import { defineErrors, type PluginManifest } from '@trellis/core';
import { askedItems, pluginAskKinds, pluginAsks, type PluginAsks } from '@trellis/sdk/shared';
import { isListedHost } from '../listed-hosts.ts';
import type { FoundPlugin } from './found-plugin.ts';

const consentErrors = defineErrors({
  PLUGIN_NEEDS_CONSENT: {
    status: 409,
    message: "'{plugin}' asks for what nobody has agreed to yet; somebody must agree to that first: {items}",
  },
});

/** What somebody agreed to. A kind that is absent is one that nobody was asked about, as in a note from before there was this kind. */
export type Consent = Partial<PluginAsks>;

/** A plugin that asks for something: what it says, and which halves it has. */
export type Asking = Pick<FoundPlugin, 'manifest' | 'halves'>;

const nothing: PluginAsks = {
  halves: [],
  hooks: [],
  paths: [],
  hosts: [],
  permissions: [],
  tables: [],
};

/** All that a plugin asks for; nothing where its manifest cannot be read. */
export function asksOf({ manifest, halves = [] }: Asking): PluginAsks {
  return manifest === undefined ? nothing : pluginAsks(manifest, halves);
}

/** What a plugin asks for and nobody agreed to. */
export function unagreedAsks(plugin: Asking, consent: Consent = {}): PluginAsks {
  return eachKind(asksOf(plugin), (items, kind) => {
    const agreed = consent[kind];
    // Nobody was asked: whoever lets it run, lets its halves run.
    if (kind === 'halves' && agreed === undefined) return [];
    const isAgreed = (item: string) =>
      kind === 'hosts'
        ? agreed?.some((listed) => isListedHost(item, listed)) === true
        : agreed?.includes(item) === true;
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
    items: askedItems(unagreed).join(', '),
    unagreed,
  });
}

/** Both together, with every kind. */
export function joinConsent(before: Consent = {}, more: Consent = {}): PluginAsks {
  return eachKind(nothing, (_none, kind) => [...new Set([...(before[kind] ?? []), ...(more[kind] ?? [])])]);
}

/** What holds when somebody who saw what a plugin asks for has let it run, and agreed to more of it. */
export function agreedWith(plugin: Asking, before: Consent = {}, more: Consent = {}): PluginAsks {
  return joinConsent({ ...before, halves: before.halves ?? plugin.halves ?? [] }, more);
}

const words: Readonly<Record<keyof PluginAsks, string>> = {
  halves: 'run a half of it in the',
  hooks: 'change or refuse what people do by the hooks',
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
  const { halves, hooks, paths, hosts, permissions, tables } = asks;
  return {
    halves: change(halves, 'halves'),
    hooks: change(hooks, 'hooks'),
    paths: change(paths, 'paths'),
    hosts: change(hosts, 'hosts'),
    permissions: change(permissions, 'permissions'),
    tables: change(tables, 'tables'),
  };
}
