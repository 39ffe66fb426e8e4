/** A file format for adding rows to a table; the server half registers an importer with the same id. @public */
export interface ImportFormat {
  /** The word in the path: `json-lines`. */
  readonly id: string;
  readonly label: string;
  /** The extensions of its files, without the dot, for the file dialog. */
  readonly extensions: readonly string[];
  /** A name of the icon font without its prefix. */
  readonly icon: string;
  /** Default 100. */
  readonly order?: number;
}
