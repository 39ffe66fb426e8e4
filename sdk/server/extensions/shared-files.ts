import { type AttachedFile, createToken } from '../../shared/index.ts';

/** A place that shows files to visitors, who must not keep their addresses. @beta */
export interface FilesOfPlace {
  /** The id of an item of the registry `fileGrants`. */
  readonly grant: string;
  /** The argument of its `keyOf`: letters, digits, `_` and `-`. */
  readonly place: string;
  readonly key: Uint8Array;
}

/** A visitor's file for a cell. @beta */
export interface ReceivedFor {
  readonly projectId: string;
  readonly tableId: string;
  readonly column: {
    readonly id: string;
    readonly title: string;
    readonly meta: Readonly<Record<string, unknown>> | undefined;
  };
  /** The id of the credential with which rows are sent: only rows with the same one can use the file. */
  readonly credentialId: string;
  /** The network address of the sender, so that senders do not use up each other's space. */
  readonly address: string;
}

/** Shows files by addresses that expire, and receives visitors' files; of the plugin `column-attachment`. @beta */
export interface SharedFiles {
  /** The id of the column type whose cells hold files. */
  readonly columnType: string;
  /** A cell, or a list of some, with the addresses of files replaced, wherever they occur in its texts. */
  readdressed<Cell>(cell: Cell, of: FilesOfPlace): Cell;
  /**
   * A cell with the real addresses of its files, in place of those from `readdressed`. A value that is no list of files stays
   * unchanged.
   *
   * @throws TrellisError for a file at any other address
   */
  restored(cell: unknown, of: FilesOfPlace): unknown;
  /** The most bytes of a body of files. */
  largestBody(): number;
  /**
   * Stores a file within the column's limits. It is removed if no row takes it within an hour.
   *
   * @param received.path the bytes on this machine
   * @throws TrellisError for a file that the column refuses, or if too many bytes wait for their rows
   */
  receive(received: { readonly name: string; readonly path: string }, to: ReceivedFor): Promise<AttachedFile>;
}

/** Files of cells, for whoever has no account. @beta */
export const SharedFilesToken = createToken<SharedFiles>('column-attachment.shared-files');
