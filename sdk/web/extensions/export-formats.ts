/** A kind of file that people download rows as, beside the exporter of the same id in the server's half. @public */
export interface ExportFormat {
  /** The word in the path: `csv`. */
  readonly id: string;
  readonly label: string;
  /** Of the file's name, without the dot. */
  readonly extension: string;
  /** A name of the icon font without its prefix. */
  readonly icon: string;
  /** Default 100. */
  readonly order?: number;
}
