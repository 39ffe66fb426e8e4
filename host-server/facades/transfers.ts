import { Readable } from 'node:stream';
import {
  isExpected,
  recordErrorOrigin,
  systemClock,
  TimeLimitError,
  type Clock,
  type RegistryView,
} from '@trellis/core';
import type { Exporter, Importer, RowInput, ServerColumnType, Transfers } from '@trellis/sdk/server';
import type { OwnedWork } from '../runtime/owned-work.ts';
import { adapterErrors } from './adapter-calls.ts';
import { PluginPace } from './plugin-pace.ts';

/** Milliseconds that an importer or an exporter may stand still. */
const longestPause = 60_000;

/** See `Transfers`. */
export function createTransfers(deps: {
  readonly exporters: RegistryView<Exporter>;
  readonly importers: RegistryView<Importer>;
  readonly types: RegistryView<ServerColumnType>;
  readonly work: () => Pick<OwnedWork, 'run' | 'report'>;
  readonly nameOf: (pluginId: string) => string;
  readonly clock?: Clock;
}): Transfers {
  const { exporters, importers, types, nameOf, clock = systemClock } = deps;

  /**
   * Work of its plugin from its first part to its end, so that disabling waits for it; its errors are its plugin's too. One that stands
   * still is given up.
   *
   * @throws TrellisError `ADAPTER_TIMEOUT`
   */
  async function* ownedBy<Part>(
    { owner, where, what, ends }: TransferWork,
    parts: (signal: AbortSignal, pace: PluginPace) => AsyncIterable<Part>,
  ): AsyncGenerator<Part> {
    const given = new AbortController();
    const pace = new PluginPace({ clock, limit: longestPause, what: `A step of the ${where}` });
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    try {
      const signal = await new Promise<AbortSignal>((begin) => {
        void deps.work().run(owner, AbortSignal.any([ends, given.signal]), (context) => {
          begin(context.signal);
          return ended;
        });
      });
      yield* pace.walk(parts(signal, pace), signal);
    } catch (error) {
      given.abort();
      if (!isExpected(error)) {
        // An error after the consumer has gone is not the plugin's fault.
        ends.throwIfAborted();
        deps.work().report(owner, where, error);
      }
      recordErrorOrigin(error, { owner, where });
      if (!(error instanceof TimeLimitError)) throw error;
      const seconds = longestPause / 1000;
      throw adapterErrors.create('ADAPTER_TIMEOUT', { plugin: nameOf(owner), what, seconds }, error);
    } finally {
      end();
    }
  }

  return {
    exporters: () =>
      exporters.list().map(({ id, label, extension, mediaType, isForPrograms = false }) => ({
        id,
        label,
        extension,
        mediaType,
        isForPrograms,
      })),
    importers: () =>
      importers
        .list()
        .map(({ id, label, extensions, mediaTypes }) => ({ id, label, extensions, mediaTypes })),
    write(id, rows, { raw, title }) {
      const found = exporters.entries().find(({ item }) => item.id === id);
      if (found === undefined) return undefined;
      const { item, owner } = found;
      const { extension, mediaType } = item;
      const where = `export as ${id}`;
      const work = { owner, where, what: `go on with the ${where}`, ends: new AbortController().signal };
      const body = ownedBy(work, (_ended, pace) =>
        partsOf(item.write({ ...rows, batches: pace.lend(rows.batches) }, { types, raw, title })),
      );
      return { extension, mediaType, body };
    },
    read(id, content, signal) {
      const found = importers.entries().find(({ item }) => item.id === id);
      if (found === undefined) return undefined;
      const { item, owner } = found;
      const where = `import of ${id}`;
      const work = { owner, where, what: `go on with the ${where}`, ends: signal };
      return ownedBy(work, (ended, pace) => {
        const lent = Readable.from(pace.lend(content), { objectMode: false });
        // An importer that reads to the end sees the error of a broken file; one that stopped reading before does not need to.
        lent.on('error', () => undefined);
        return checkedRows(item.read(lent, { signal: ended }));
      });
    },
  };
}

/** Takes what can be walked through at all. */
async function* partsOf<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  yield* parts;
}

interface TransferWork {
  /** The plugin's id. */
  readonly owner: string;
  readonly where: string;
  /** The work that is asked for, to be read after "did not". */
  readonly what: string;
  /** Ends it early. */
  readonly ends: AbortSignal;
}

/** The rows that an importer reads. @throws TypeError for what is no row, or no rows at all. */
async function* checkedRows(rows: AsyncIterable<RowInput>): AsyncGenerator<RowInput> {
  const walked = Object(rows) as { [Symbol.asyncIterator]?: unknown; [Symbol.iterator]?: unknown };
  if (walked[Symbol.asyncIterator] === undefined && walked[Symbol.iterator] === undefined)
    throw new TypeError("'read' gave no rows; it answers an async iterable, as an async function* does.");
  for await (const row of rows) {
    if (typeof row !== 'object' || row === null || Array.isArray(row))
      throw new TypeError(
        `'read' gave ${JSON.stringify(row)} as a row; a row is an object by the titles of columns.`,
      );
    yield row;
  }
}
