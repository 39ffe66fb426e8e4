import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { JsonMeter, OutboundToken, ServerInfoToken, type ServerPluginContext } from '@trellis/sdk/server';
import { defineErrors, toPlainText, type PluginEntity, type PluginProposal } from '@trellis/sdk/shared';
import isNewer from 'semver/functions/gt.js';
import satisfies from 'semver/functions/satisfies.js';
import validVersion from 'semver/functions/valid.js';
import validRange from 'semver/ranges/valid.js';
import type { IndexedPlugin, PluginIndexAnswer } from '../shared/index.ts';
import { indexAddress } from './index-address.ts';
import type { StoreSettings } from './publishers.ts';

const indexErrors = defineErrors({
  PLUGIN_INDEX_NOT_SET: {
    status: 409,
    message: 'No plugin index is set; give its address in the settings of the app store.',
  },
  PLUGIN_INDEX_UNREADABLE: { status: 502, message: 'The plugin index cannot be read: {reason}.' },
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

/** An entry of the index: one version of one plugin. */
interface IndexEntry {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly author: string | undefined;
  readonly bytes: number | undefined;
  /** Range of the product's versions. */
  readonly trellis: string;
  /** Whole, though the index may give it relative to itself. */
  readonly url: string;
  readonly sha256: string;
}

const largestIndex = 5 * 1024 * 1024;
/** Of the JSON of an index: room for some twenty thousand versions. */
const mostOfIndex = { values: 200_000, keys: 1000, depth: 20 };
const largestArchive = 20 * 1024 * 1024;
const patienceMs = 60_000;

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
    if (answer.status >= 400)
      throw indexErrors.create('PLUGIN_INDEX_UNREADABLE', { reason: `the server answered ${answer.status}` });
    const entries = parse(answer.body);
    const fitting = entries.map((entry) => toEntry(entry, answer.url));
    return {
      origin: new URL(url).origin,
      passedOver: fitting.filter((entry) => entry === undefined || !fits(entry)).length,
      entries: fitting.filter((entry) => entry !== undefined).filter(fits),
    };
  }

  function fits({ trellis }: IndexEntry): boolean {
    return satisfies(hostVersion, trellis, { includePrerelease: true });
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
      return { address: url, list: list.toSorted((a, b) => a.name.localeCompare(b.name)), passedOver };
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

function parse(bytes: Uint8Array): readonly unknown[] {
  const tooMuch = () => indexErrors.create('PLUGIN_INDEX_UNREADABLE', { reason: 'it holds too much' });
  new JsonMeter(mostOfIndex, tooMuch).add(bytes);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch (error) {
    throw indexErrors.create('PLUGIN_INDEX_UNREADABLE', { reason: 'it is no JSON' }, error);
  }
  const { plugins }: { readonly plugins?: unknown } = Object(value);
  if (!Array.isArray(plugins))
    throw indexErrors.create('PLUGIN_INDEX_UNREADABLE', { reason: 'it has no list "plugins"' });
  return plugins;
}

/** Undefined for an entry that lacks something. @param base where the index was found, which relative addresses start from. */
function toEntry(value: unknown, base: string): IndexEntry | undefined {
  const of = Object(value) as Readonly<Record<string, unknown>>;
  const text = (key: string, limit: number) => {
    const found = of[key];
    return typeof found === 'string' && found !== '' ? toPlainText(found.slice(0, limit)) : undefined;
  };
  const version = validVersion(text('version', 40) ?? '');
  const [id, sha256] = [text('id', 60), text('sha256', 64)?.toLowerCase()];
  const address = text('url', 2000) ?? '';
  const trellis = text('trellis', 100) ?? '*';
  if (id === undefined || version === null || sha256 === undefined || !URL.canParse(address, base))
    return undefined;
  if (validRange(trellis) === null) return undefined;
  const { bytes } = of;
  return {
    id,
    version,
    sha256,
    trellis,
    url: new URL(address, base).href,
    name: text('name', 80) ?? id,
    description: text('description', 2000) ?? '',
    author: text('author', 120),
    bytes: Number.isSafeInteger(bytes) && Number(bytes) >= 0 ? Number(bytes) : undefined,
  };
}
