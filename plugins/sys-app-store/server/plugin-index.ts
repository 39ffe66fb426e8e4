import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { OutboundToken, ServerInfoToken, type ServerPluginContext } from '@trellis/sdk/server';
import { defineErrors, type PluginEntity, type PluginProposal } from '@trellis/sdk/shared';
import isNewer from 'semver/functions/gt.js';
import type { IndexedPlugin, PluginIndexAnswer } from '../shared/index.ts';
import { indexAddress } from './index-address.ts';
import { readIndexEntries, unreadableIndex, type IndexEntry } from './index-entries.ts';
import type { StoreSettings } from './publishers.ts';

const indexErrors = defineErrors({
  PLUGIN_INDEX_NOT_SET: {
    status: 409,
    message: 'No plugin index is set; give its address in the settings of the app store.',
  },
  PLUGIN_NOT_IN_INDEX: {
    status: 404,
    message: "The plugin index does not list '{plugin}' in version {version}.",
  },
  PLUGIN_DOWNLOAD_FAILED: {
    status: 502,
    message: "'{plugin}' could not be fetched: the server answered {status}.",
  },
  PLUGIN_NOT_AS_LISTED: {
    status: 502,
    message:
      "The plugin index lists '{plugin}' {version}, and its archive holds '{other}' {otherVersion}. Tell whoever keeps the index.",
  },
  PLUGIN_DOWNLOAD_CHANGED: {
    status: 502,
    message:
      "What was fetched for '{plugin}' is not what the plugin index lists: its checksum is another one.",
  },
});

/** @throws TrellisError `PLUGIN_NOT_AS_LISTED` for another plugin than the one that was chosen in the index. */
export function assertListed(chosen: Pick<PluginProposal, 'id' | 'version'>, found: PluginProposal): void {
  if (found.id !== chosen.id || found.version !== chosen.version)
    throw indexErrors.create('PLUGIN_NOT_AS_LISTED', {
      plugin: chosen.id,
      version: chosen.version,
      other: found.id,
      otherVersion: found.version,
    });
}

const largestIndex = 5 * 1024 * 1024;
const largestArchive = 20 * 1024 * 1024;
const patienceMs = 60_000;
const byName = new Intl.Collator();

/** The plugins that somebody publishes in a JSON file whose address the self-hoster sets. */
export function createPluginIndex(ctx: ServerPluginContext<StoreSettings>) {
  const outbound = ctx.get(OutboundToken);
  const { version: hostVersion } = ctx.get(ServerInfoToken);
  const { current: address } = indexAddress(ctx);

  async function read(signal: AbortSignal) {
    const url = address();
    if (url === undefined) throw indexErrors.create('PLUGIN_INDEX_NOT_SET');
    const call = { purpose: 'plugin index', isSetBySuperAdmin: true, limit: largestIndex, signal };
    const answer = await outbound.fetch(url, call);
    if (answer.status >= 400) throw unreadableIndex(`the server answered ${answer.status}`);
    const found = await readIndexEntries(answer.body, { base: answer.url, hostVersion, signal });
    return { origin: new URL(url).origin, ...found };
  }

  return {
    async list(plugins: readonly PluginEntity[], signal: AbortSignal): Promise<PluginIndexAnswer> {
      const url = address();
      if (url === undefined) return { list: [], passedOver: 0 };
      const { entries, passedOver } = await read(signal);
      const newest = new Map<string, IndexEntry>();
      for (const entry of entries) {
        const other = newest.get(entry.id);
        if (other === undefined || isNewer(entry.version, other.version)) newest.set(entry.id, entry);
      }
      const list = [...newest.values()].map((entry) => describe(entry, plugins));
      return { address: url, list: list.toSorted((a, b) => byName.compare(a.name, b.name)), passedOver };
    },
    /** The archive of a version, checked against the index. */
    async fetch(id: string, version: string, signal: AbortSignal): Promise<Readable> {
      const { entries, origin } = await read(signal);
      const entry = entries.find((of) => of.id === id && of.version === version);
      if (entry === undefined) throw indexErrors.create('PLUGIN_NOT_IN_INDEX', { plugin: id, version });
      const call = {
        purpose: 'plugin',
        // The super admin trusts the server of the index, and not every address that is written in the index.
        isSetBySuperAdmin: new URL(entry.url).origin === origin,
        limit: largestArchive,
        timeoutMs: patienceMs,
        signal,
      };
      const { status, body } = await outbound.fetch(entry.url, call);
      if (status >= 400) throw indexErrors.create('PLUGIN_DOWNLOAD_FAILED', { plugin: entry.name, status });
      if (createHash('sha256').update(body).digest('hex') !== entry.sha256)
        throw indexErrors.create('PLUGIN_DOWNLOAD_CHANGED', { plugin: entry.name });
      return Readable.from([Buffer.from(body)]);
    },
  };
}

function describe(entry: IndexEntry, plugins: readonly PluginEntity[]): IndexedPlugin {
  const { id, name, version, description, author, bytes } = entry;
  // A missing one can be installed again in the version that was here.
  const known = plugins.find((plugin) => plugin.id === id && plugin.state !== 'missing');
  const installed = known?.version || undefined;
  return {
    id,
    name,
    version,
    description,
    ...(author !== undefined && { author }),
    ...(bytes !== undefined && { bytes }),
    ...(installed !== undefined && { installed }),
    isUpdate: installed !== undefined && isNewer(version, installed),
  };
}
