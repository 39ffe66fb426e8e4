import { setImmediate } from 'node:timers/promises';
import { JsonMeter } from '@trellis/sdk/server';
import { defineErrors, toPlainText } from '@trellis/sdk/shared';
import satisfies from 'semver/functions/satisfies.js';
import validVersion from 'semver/functions/valid.js';
import validRange from 'semver/ranges/valid.js';

const entryErrors = defineErrors({
  PLUGIN_INDEX_UNREADABLE: { status: 502, message: 'The plugin index cannot be read: {reason}.' },
});

/** @param reason why the index cannot be read; ends a sentence. */
export function unreadableIndex(reason: string, cause?: unknown) {
  return entryErrors.create('PLUGIN_INDEX_UNREADABLE', { reason }, cause);
}

/** An entry of the index: one version of one plugin. */
export interface IndexEntry {
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

/** Of the JSON of an index. */
const mostOfIndex = { values: 200_000, keys: 1000, depth: 20 };
const mostVersions = 20_000;
/** Entries that are read while others wait: ranges of versions may take long. */
const atOnce = 50;

/**
 * The versions in an index that fit a server, and the number of entries that do not, or that lack something.
 *
 * @param options.base where the index was found, which relative addresses start from
 */
export async function readIndexEntries(
  bytes: Uint8Array,
  options: { readonly base: string; readonly hostVersion: string; readonly signal: AbortSignal },
) {
  const entries: IndexEntry[] = [];
  const all = parse(bytes);
  for (const [at, value] of all.entries()) {
    if (at % atOnce === 0) {
      await setImmediate();
      options.signal.throwIfAborted();
    }
    const entry = toEntry(value, options.base);
    if (entry !== undefined && satisfies(options.hostVersion, entry.trellis, { includePrerelease: true }))
      entries.push(entry);
  }
  return { entries, passedOver: all.length - entries.length };
}

function parse(bytes: Uint8Array): readonly unknown[] {
  const tooMuch = () => unreadableIndex('it holds too much');
  new JsonMeter(mostOfIndex, tooMuch).add(bytes);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch (error) {
    throw unreadableIndex('it is no JSON', error);
  }
  const { plugins }: { readonly plugins?: unknown } = Object(value);
  if (!Array.isArray(plugins)) throw unreadableIndex('it has no list "plugins"');
  if (plugins.length > mostVersions)
    throw unreadableIndex(`it lists more than ${mostVersions.toLocaleString('en')} versions`);
  return plugins;
}

/** Undefined for an entry that lacks something. */
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
