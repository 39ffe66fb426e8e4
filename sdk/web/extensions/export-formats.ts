/** A file format for downloading rows; the server half registers an exporter with the same id. @public */
export interface ExportFormat {
  /** The word in the path: `csv`. */
  readonly id: string;
  readonly label: string;
  /** The file name's extension, without the dot. */
  readonly extension: string;
  /** A name of the icon font without its prefix. */
  readonly icon: string;
  /** Default 100. */
  readonly order?: number;
}
