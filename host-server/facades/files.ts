import { randomBytes } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import type { RegistryEntry, RegistryView } from '@trellis/core';
import type { ByteRange, Files, StorageAdapter } from '@trellis/sdk/server';
import { host } from '../runtime/owned-work.ts';
import type { AdapterCalls } from './adapter-calls.ts';
import { fileErrors } from './file-errors.ts';

/** Milliseconds for what moves a whole file, and for the rest. */
const limits = { whole: 10 * 60_000, short: 30_000 };

/** `adapter:key`. Only what was made here passes, so a reference can never be a path that somebody thought of. */
const reference = /^([a-z][a-z0-9-]*):([a-z0-9]{2}\/[a-z0-9]{38})$/;

/** See `Files`. */
export function createFiles(deps: {
  readonly adapters: RegistryView<StorageAdapter>;
  /** The adapter that is always there. */
  readonly local: StorageAdapter;
  readonly calls: AdapterCalls;
}): Files {
  const { adapters, local, calls } = deps;

  function ready(): readonly RegistryEntry<StorageAdapter>[] {
    return [...adapters.entries(), { item: local, owner: host }].filter((entry) => calls.isReady(entry));
  }

  /** @throws TrellisError `FILE_UNKNOWN`, `STORAGE_ABSENT`. */
  function find(ref: string): RegistryEntry<StorageAdapter> & { readonly key: string } {
    const [, adapter = '', key = ''] = reference.exec(ref) ?? [];
    if (key === '') throw fileErrors.create('FILE_UNKNOWN');
    const found = ready().find(({ item }) => item.id === adapter);
    if (found === undefined) throw fileErrors.create('STORAGE_ABSENT', { adapter });
    return { ...found, key };
  }

  return {
    async put(content, facts, { limit, signal }) {
      const [{ item, owner } = { item: local, owner: host }] = ready();
      const key = newKey();
      const counted = countBytes(limit);
      const source = content instanceof Uint8Array ? Readable.from([content]) : content;
      let broken: Error | undefined;
      source.on('error', (error) => {
        broken = error;
        counted.destroy(error);
      });
      // The adapter may begin to read only after the source has failed.
      counted.on('error', () => undefined);
      /** What is wrong with the file itself, which is no failure of the adapter. */
      const problem = () => (counted.size > limit ? fileErrors.create('FILE_TOO_LARGE', { limit }) : broken);
      const body = source.pipe(counted);
      const run = async (ends: AbortSignal) => {
        try {
          await item.put(key, body, facts, { signal: ends });
        } catch (error) {
          if (problem() === undefined) throw error;
        }
      };
      try {
        await calls.call({ owner, what: 'store a file', limit: limits.whole, signal, run });
      } finally {
        source.destroy();
        counted.destroy();
      }
      const wrong = problem();
      if (wrong !== undefined) throw wrong;
      return { ref: `${item.id}:${key}`, name: facts.name, type: facts.type, size: counted.size };
    },
    async read(ref, { signal, part } = {}) {
      const { item, owner, key } = find(ref);
      const run = async (ends: AbortSignal) => {
        const call = { signal: ends };
        if (part === undefined) return item.get(key, call);
        return item.getPart?.(key, part, call) ?? partOf(await item.get(key, call), part);
      };
      return calls.call({ owner, what: 'read a file', limit: limits.short, signal, run });
    },
    async remove(ref) {
      const { item, owner, key } = find(ref);
      const run = (signal: AbortSignal) => item.remove(key, { signal });
      await calls.call({ owner, what: 'remove a file', limit: limits.short, run });
    },
    async url(ref, options) {
      const { item, owner, key } = find(ref);
      if (item.url === undefined) return undefined;
      const run = async (signal: AbortSignal) => item.url?.(key, options, { signal });
      return calls.call({ owner, what: 'give the address of a file', limit: limits.short, run });
    },
  };
}

/** Two levels, since folders with a million files are slow on many systems. */
function newKey(): string {
  const random = randomBytes(20).toString('hex');
  return `${random.slice(0, 2)}/${random.slice(2)}`;
}

/** The bytes of a part, for adapters that only give whole files. What comes after them is not read. */
function partOf(content: Readable, { start, end }: ByteRange): Readable {
  async function* bytes() {
    let at = 0;
    for await (const chunk of content as AsyncIterable<Uint8Array>) {
      const wanted = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
      at += chunk.byteLength;
      if (wanted.byteLength > 0) yield wanted;
      if (at > end) return;
    }
  }
  return Readable.from(bytes(), { objectMode: false });
}

/** Passes bytes on, counts them, and fails when there are too many. */
function countBytes(limit: number): Transform & { readonly size: number } {
  const counter = Object.assign(
    new Transform({
      transform(chunk: Uint8Array, _encoding, done) {
        counter.size += chunk.byteLength;
        if (counter.size > limit) done(fileErrors.create('FILE_TOO_LARGE', { limit }));
        else done(null, chunk);
      },
    }),
    { size: 0 },
  );
  return counter;
}
