/** One file of a cell, in the form of the v1 API. @public */
export interface AttachedFile {
  /** Its address: one of this server, or a link to another site. */
  readonly url: string;
  /** Its displayed name. */
  readonly title: string;
  /** Its media type; absent for links. */
  readonly mimetype?: string;
  /** Bytes; absent for links. */
  readonly size?: number;
  /** Only for office files. */
  readonly icon?: string;
}
