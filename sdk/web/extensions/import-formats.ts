/** A kind of file whose rows people add to a table, beside the importer of the same id in the server's half. @public */
export interface ImportFormat {
  /** The word in the path: `json-lines`. */
  readonly id: string;
  readonly label: string;
  /** Of files that it reads, without the dot: the browser offers those. */
  readonly extensions: readonly string[];
  /** A name of the icon font without its prefix. */
  readonly icon: string;
  /** Default 100. */
  readonly order?: number;
}
