import type { Readable } from 'node:stream';
import { createToken, type RegistryView } from '../../shared/index.ts';
import type { ServerColumnType } from '../column-types.ts';
import type { RowStream } from '../row-reads.ts';
import type { RowInput } from '../row-store.ts';

/** How an export is written. @public */
export interface ExportOptions {
  /** The column types: `exportedColumn(column, types).text(value)` gives the text of a cell, by the options of its column. */
  readonly types: RegistryView<ServerColumnType>;
  /** For programs: what looks like a formula is written as it is. */
  readonly raw: boolean;
  /** What the rows are of: the title of the view, or of the table. */
  readonly title?: string;
}

/** Writes rows as a file, for the registry `exporters`. `GET .../export/<id>` serves it. @public */
export interface Exporter {
  /** The word in the path: `csv`. */
  readonly id: string;
  readonly label: string;
  /** Of the file's name, without the dot. */
  readonly extension: string;
  readonly mediaType: string;
  /**
   * Whether only programs ask for it, by its word: its file is in no form that people open, so that no schedule writes it. Default false.
   */
  readonly isForPrograms?: boolean;
  /**
   * The file, part by part, so that memory does not grow with the table. `exportedColumn` gives the title and the cells of a column. An
   * export that stands still for a minute is given up, and rows are no longer held for one that asks for no others for half of that; the time in
   * which it waits for rows, or for who takes the file, does not count.
   */
  write(rows: RowStream, options: ExportOptions): AsyncIterable<string | Uint8Array>;
}

/** Reads rows out of a file, for the registry `importers`. `POST .../import/<id>` takes it. @public */
export interface Importer {
  /** The word in the path: `json-lines`. */
  readonly id: string;
  readonly label: string;
  /** Of files that it reads, without the dot. */
  readonly extensions: readonly string[];
  readonly mediaTypes: readonly string[];
  /**
   * The rows by column title, one by one; a `TrellisError` with status 400 says what is wrong with the file. An import that stands still
   * for a minute is given up; the time in which it waits for the file, or for rows to be taken, does not count.
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
 * Writes and reads files by what plugins register for it. A format that nobody registers is not offered: both calls give undefined.
 * An error on the way that is not typed is shown with the plugin whose format it is. 504 `ADAPTER_TIMEOUT` where the plugin stands still.
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
