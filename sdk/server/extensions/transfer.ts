import type { Readable } from 'node:stream';
import { createToken, type RegistryView } from '../../shared/index.ts';
import type { ServerColumnType } from '../column-types.ts';
import type { RowStream } from '../row-reads.ts';
import type { RowInput } from '../row-store.ts';

/** The parameters of an export. @public */
export interface ExportOptions {
  /** The column types: `exportedColumn(column, types).text(value)` formats a cell by the options of its column. */
  readonly types: RegistryView<ServerColumnType>;
  /** For programs: text that looks like a formula is written unchanged. */
  readonly raw: boolean;
  /** The title of the exported view, or of the table. */
  readonly title?: string;
}

/** Writes rows as a file, for the registry `exporters`. `GET .../export/<id>` serves it. @public */
export interface Exporter {
  /** The word in the path: `csv`. */
  readonly id: string;
  readonly label: string;
  /** The file name's extension, without the dot. */
  readonly extension: string;
  readonly mediaType: string;
  /** Whether only programs request it by its word: people cannot open its file, so schedules do not offer it. Default false. */
  readonly isForPrograms?: boolean;
  /**
   * The file, in chunks, so that memory does not grow with the table. `exportedColumn` gives the title and the cells of a column.
   * An export that makes no progress for a minute is cancelled, and rows are released after 30 seconds without a request; the time
   * in which it waits for rows, or for the receiver of the file, does not count.
   */
  write(rows: RowStream, options: ExportOptions): AsyncIterable<string | Uint8Array>;
}

/** Reads rows from a file, for the registry `importers`. `POST .../import/<id>` serves it. @public */
export interface Importer {
  /** The word in the path: `json-lines`. */
  readonly id: string;
  readonly label: string;
  /** The extensions of its files, without the dot. */
  readonly extensions: readonly string[];
  readonly mediaTypes: readonly string[];
  /**
   * The rows by column title, one by one; a `TrellisError` with status 400 explains what is wrong with the file. An import that
   * makes no progress for a minute is cancelled; the time in which it waits for the file, or for rows to be processed, does not
   * count.
   */
  read(content: Readable, call: { readonly signal: AbortSignal }): AsyncIterable<RowInput>;
}

/** An export that is being written. @public */
export interface OpenExport {
  readonly extension: string;
  readonly mediaType: string;
  readonly body: AsyncIterable<string | Uint8Array>;
}

/**
 * Writes and reads files with the formats that plugins register. For an unregistered format, both calls return undefined. An
 * untyped error is shown with the plugin of the format. 504 `ADAPTER_TIMEOUT` if the plugin makes no progress.
 * @beta
 */
export interface Transfers {
  exporters(): readonly Pick<Exporter, 'id' | 'label' | 'extension' | 'mediaType' | 'isForPrograms'>[];
  importers(): readonly Pick<Importer, 'id' | 'label' | 'extensions' | 'mediaTypes'>[];
  write(
    exporterId: string,
    rows: RowStream,
    options: Pick<ExportOptions, 'raw' | 'title'>,
  ): OpenExport | undefined;
  read(importerId: string, content: Readable, signal: AbortSignal): AsyncIterable<RowInput> | undefined;
}
/** Imports and exports of files. @beta */
export const TransfersToken = createToken<Transfers>('transfers');
