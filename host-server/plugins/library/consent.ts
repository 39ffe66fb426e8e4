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

/** What somebody agreed to. A missing kind is one that nobody was asked about, as in notes from before the kind existed. */
export type Consent = Partial<PluginAsks>;

/** A plugin that asks for something: its manifest and its halves. */
export type Asking = Pick<FoundPlugin, 'manifest' | 'halves'>;

const nothing: PluginAsks = {
  halves: [],
  hooks: [],
  paths: [],
  hosts: [],
  permissions: [],
  tables: [],
};

/** Everything that a plugin asks for; nothing if its manifest cannot be read. */
export function asksOf({ manifest, halves = [] }: Asking): PluginAsks {
  return manifest === undefined ? nothing : pluginAsks(manifest, halves);
}

/** What a plugin asks for without consent. */
export function unagreedAsks(plugin: Asking, consent: Consent = {}): PluginAsks {
  return eachKind(asksOf(plugin), (items, kind) => {
    const agreed = consent[kind];
    // Nobody was asked about halves: letting a plugin run lets its halves run.
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

/** @throws TrellisError `PLUGIN_NEEDS_CONSENT` if something lacks consent; its `unagreed` lists it by kind. */
export function assertAgreed(manifest: PluginManifest | undefined, unagreed: PluginAsks): void {
  if (asksForNothing(unagreed)) return;
  throw consentErrors.create('PLUGIN_NEEDS_CONSENT', {
    plugin: manifest?.name,
    items: askedItems(unagreed).join(', '),
    unagreed,
  });
}

/** The union of both, with every kind. */
export function joinConsent(before: Consent = {}, more: Consent = {}): PluginAsks {
  return eachKind(nothing, (_none, kind) => [...new Set([...(before[kind] ?? []), ...(more[kind] ?? [])])]);
}

/** The consent after somebody saw what a plugin asks for, let it run, and agreed to more. */
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

/** For the log and for notices: "serve the addresses /a, /b and call the hosts c.test"; empty if it asks for nothing. */
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
