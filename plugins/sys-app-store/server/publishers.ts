import type { PluginProposal } from '@trellis/sdk/shared';
import { defineErrors } from '@trellis/sdk/shared';
import isOlder from 'semver/functions/lt.js';
import type { OfferedProposal } from '../shared/index.ts';

const publisherErrors = defineErrors({
  PLUGIN_PUBLISHER_UNKNOWN: {
    status: 403,
    message:
      "No known publisher has signed '{plugin}', and the settings of the app store ask for one. Add the publisher's key there if you trust it.",
  },
});

/** The app store's own settings. */
export interface StoreSettings {
  readonly index?: string;
  readonly publishers: string;
  readonly knownOnly: boolean;
}

/** The names that the self-hoster gave to keys: one a line, the key before the name. */
function publisherOf(publicKey: string, { publishers }: StoreSettings): string | undefined {
  const line = publishers
    .split('\n')
    .map((text) => text.trim())
    .find((text) => text.split(/\s/)[0] === publicKey);
  if (line === undefined) return undefined;
  return line.slice(publicKey.length).trim() || publicKey.slice(0, 8);
}

/** What says who made a plugin. */
type Signed = Pick<PluginProposal, 'name' | 'signer'>;

export function offered(proposal: PluginProposal, settings: StoreSettings): OfferedProposal {
  const { version, current, formerVersion: before = current } = proposal;
  const publisher = proposal.signer && publisherOf(proposal.signer.publicKey, settings);
  return {
    ...proposal,
    ...(publisher !== undefined && { publisher }),
    isOlder: before !== undefined && isOlder(version, before),
    isRefused: isRefused(proposal, settings),
  };
}

function isRefused({ signer }: Signed, settings: StoreSettings): boolean {
  return (
    settings.knownOnly && (signer === undefined || publisherOf(signer.publicKey, settings) === undefined)
  );
}

/** @throws TrellisError `PLUGIN_PUBLISHER_UNKNOWN`. */
export function assertPublisher(plugin: Signed, settings: StoreSettings): void {
  if (isRefused(plugin, settings))
    throw publisherErrors.create('PLUGIN_PUBLISHER_UNKNOWN', { plugin: plugin.name });
}
