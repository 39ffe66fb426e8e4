import { randomBytes } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import type { RegistryEntry, RegistryView } from '@trellis/core';
import type {
  ByteRange,
  FileFacts,
  FilePlacement,
  Files,
  ReadFileOptions,
  StorageAdapter,
} from '@trellis/sdk/server';
import { host } from '../runtime/owned-work.ts';
import type { AdapterCalls } from './adapter-calls.ts';
import { fileErrors } from './file-errors.ts';
import { Measure, measured } from './measure.ts';

/**
 * Milliseconds for which no byte of a whole file has to move, and for the rest. A file may arise while it is kept, for hours: a backup does, and
 * whoever makes it has a limit of its own.
 */
const limits = { still: 10 * 60_000, short: 30_000 };

/** The file name of a copy, for adapters that store names. */
const unknownFacts: FileFacts = { name: 'file', type: 'application/octet-stream' };

/** `adapter:key`. Only references of this form pass, so that a reference can never be a path of a client's choice. */
const reference = /^([a-z][a-z0-9-]*):([a-z0-9]{2}\/[a-z0-9]{38})$/;

/** See `Files`. */
export function createFiles(deps: {
  readonly adapters: RegistryView<StorageAdapter>;
  /** The adapter that is always there. */
  readonly local: StorageAdapter;
  readonly calls: AdapterCalls;
  /** Says where a new file goes; see the hook `files.willPut`. */
  readonly placed: (placement: FilePlacement, facts: FileFacts) => Promise<FilePlacement>;
}): Files {
  const { adapters, local, calls, placed } = deps;

  function all(): readonly RegistryEntry<StorageAdapter>[] {
    return [...adapters.entries(), { item: local, owner: host }];
  }

  function ready(): readonly RegistryEntry<StorageAdapter>[] {
    return all().filter((entry) => calls.isReady(entry));
  }

  /** Where a new file goes. */
  async function target(facts: FileFacts): Promise<RegistryEntry<StorageAdapter>> {
    const entries = ready();
    const { place } = await placed({ ready: entries.map(({ item }) => item.id) }, facts);
    const chosen = entries.find(({ item }) => item.id === place);
    return chosen ?? entries[0] ?? { item: local, owner: host };
  }

  /** @throws TrellisError `FILE_UNKNOWN`, `STORAGE_ABSENT`. */
  function find(ref: string): RegistryEntry<StorageAdapter> & { readonly key: string } {
    const [, adapter = '', key = ''] = reference.exec(ref) ?? [];
    if (key === '') throw fileErrors.create('FILE_UNKNOWN');
    const found = ready().find(({ item }) => item.id === adapter);
    if (found === undefined) throw fileErrors.create('STORAGE_ABSENT', { adapter });
    return { ...found, key };
  }

  async function read(
    { item, owner, key }: RegistryEntry<StorageAdapter> & { readonly key: string },
    { signal, part }: ReadFileOptions = {},
  ): Promise<Readable> {
    const run = async (ends: AbortSignal) => {
      const call = { signal: ends };
      if (part === undefined) return item.get(key, call);
      return item.getPart?.(key, part, call) ?? partOf(await item.get(key, call), part);
    };
    return calls.call({ owner, what: 'read a file', limit: limits.short, signal, run });
  }

  return {
    async put(content, facts, { limit, signal }) {
      const key = newKey();
      let moved = () => {};
      const counted = countBytes(limit, () => moved());
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
      const { item, owner } = await target(facts).catch((error: unknown) => {
        source.destroy();
        counted.destroy();
        throw error;
      });
      const run = async (ends: AbortSignal, again: () => void) => {
        moved = again;
        try {
          await item.put(key, body, facts, { signal: ends });
        } catch (error) {
          if (problem() === undefined) throw error;
        }
      };
      try {
        await calls.call({ owner, what: 'store a file', limit: limits.still, signal, run });
      } finally {
        source.destroy();
        counted.destroy();
      }
      const wrong = problem();
      if (wrong !== undefined) throw wrong;
      return { ref: `${item.id}:${key}`, name: facts.name, type: facts.type, size: counted.size };
    },
    read: async (ref, options) => read(find(ref), options),
    async remove(ref) {
      const { item, owner, key } = find(ref);
      const run = (signal: AbortSignal) => item.remove(key, { signal });
      await calls.call({ owner, what: 'remove a file', limit: limits.short, run });
    },
    places: () =>
      all().map((entry) => {
        const { item, owner } = entry;
        return { id: item.id, label: item.label, pluginId: owner, isReady: calls.isReady(entry) };
      }),
    newRef(place) {
      if (!ready().some(({ item }) => item.id === place))
        throw fileErrors.create('STORAGE_ABSENT', { adapter: place });
      return `${place}:${newKey()}`;
    },
    async copy(from, to, { signal }) {
      const target = find(to);
      const content = await read(find(from), { signal });
      const sent = new Measure();
      let broken: Error | undefined;
      content.on('error', (error) => {
        broken = error;
        sent.destroy(error);
      });
      // The adapter may begin to read only after the source has failed.
      sent.on('error', () => undefined);
      const run = (ends: AbortSignal, moved: () => void) => {
        sent.onPassed = moved;
        return target.item.put(target.key, content.pipe(sent), unknownFacts, { signal: ends });
      };
      try {
        await calls.call({ owner: target.owner, what: 'store a file', limit: limits.still, signal, run });
      } finally {
        content.destroy();
        sent.destroy();
      }
      if (broken !== undefined) throw broken;
      const kept = await measured(await read(target, { signal }));
      if (kept.size !== sent.size || kept.hash() !== sent.hash())
        throw fileErrors.create('FILE_COPY_DIFFERS');
      return { size: kept.size };
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

/** Passes bytes on, counts them, tells of each chunk, and fails when there are too many. */
function countBytes(limit: number, passed: () => void): Transform & { readonly size: number } {
  const counter = Object.assign(
    new Transform({
      transform(chunk: Uint8Array, _encoding, done) {
        counter.size += chunk.byteLength;
        passed();
        if (counter.size > limit) done(fileErrors.create('FILE_TOO_LARGE', { limit }));
        else done(null, chunk);
      },
    }),
    { size: 0 },
  );
  return counter;
}
