import { createToken } from '@trellis/sdk/shared';
import type { AttachedFile } from './attachments.ts';

/** Where files are shown to somebody who may not keep their addresses. */
export interface FilesOfPlace {
  /** The id of an item of the registry `fileGrants`. */
  readonly grant: string;
  /** What its `keyOf` is asked for: letters, digits, `_` and `-`. */
  readonly place: string;
  readonly key: Uint8Array;
}

/** A file that somebody without an account sends for a cell. */
export interface ReceivedFor {
  readonly projectId: string;
  readonly tableId: string;
  readonly column: {
    readonly id: string;
    readonly title: string;
    readonly meta: Readonly<Record<string, unknown>> | undefined;
  };
  /** The id of the credential by which rows are sent: only rows that come by the same one take the file. */
  readonly credentialId: string;
  /** The network address of the sender: nobody takes the room of those who send from elsewhere. */
  readonly address: string;
}

/** Shows files by addresses that end, and takes files of senders who have no account. */
export interface SharedFiles {
  /** The id of the column type whose cells hold files. */
  readonly columnType: string;
  /** A cell, or a list of some, with other addresses in place of those of files, wherever they stand in its texts. */
  readdressed<Cell>(cell: Cell, of: FilesOfPlace): Cell;
  /**
   * A cell with the addresses that its files have here, in place of those that `readdressed` gave. What is no list of files stays as it is.
   *
   * @throws TrellisError for a file at any other address
   */
  restored(cell: unknown, of: FilesOfPlace): unknown;
  /** Bytes of a body of files at the most. */
  largestBody(): number;
  /**
   * Keeps a file, by what the column allows. What comes into no row within an hour is removed.
   *
   * @param received.path where the bytes are on this machine
   * @throws TrellisError for a file that the column does not take, or when too much waits for its rows
   */
  receive(received: { readonly name: string; readonly path: string }, to: ReceivedFor): Promise<AttachedFile>;
}

export const SharedFilesToken = createToken<SharedFiles>('column-attachment.shared-files');
