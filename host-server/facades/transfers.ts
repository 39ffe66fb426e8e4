import { isExpected, recordErrorOrigin, type RegistryView } from '@trellis/core';
import type { Exporter, Importer, RowInput, ServerColumnType, Transfers } from '@trellis/sdk/server';
import type { OwnedWork } from '../runtime/owned-work.ts';

/** See `Transfers`. */
export function createTransfers(deps: {
  readonly exporters: RegistryView<Exporter>;
  readonly importers: RegistryView<Importer>;
  readonly types: RegistryView<ServerColumnType>;
  readonly work: () => Pick<OwnedWork, 'run' | 'report'>;
}): Transfers {
  const { exporters, importers, types } = deps;

  /** Work of its plugin from its first part to its end, so that disabling waits for it; its errors are its plugin's too. */
  async function* ownedBy<Part>(
    { owner, where, ends }: { readonly owner: string; readonly where: string; readonly ends: AbortSignal },
    parts: (signal: AbortSignal) => AsyncIterable<Part>,
  ): AsyncGenerator<Part> {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    try {
      const signal = await new Promise<AbortSignal>((begin) => {
        void deps.work().run(owner, ends, (context) => {
          begin(context.signal);
          return ended;
        });
      });
      yield* parts(signal);
    } catch (error) {
      if (!isExpected(error)) deps.work().report(owner, where, error);
      recordErrorOrigin(error, { owner, where });
      throw error;
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
      const work = { owner, where: `export as ${id}`, ends: new AbortController().signal };
      const body = ownedBy(work, () => item.write(rows, { types, raw, title }));
      return { extension, mediaType, body };
    },
    read(id, content, signal) {
      const found = importers.entries().find(({ item }) => item.id === id);
      if (found === undefined) return undefined;
      const { item, owner } = found;
      const work = { owner, where: `import of ${id}`, ends: signal };
      return ownedBy(work, (ended) => checkedRows(item.read(content, { signal: ended })));
    },
  };
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
