/** The header with a visitor's id of a shared base. */
export const visitorHeader = 'xc-shared-base-id';

/** The kind of the live event for a project that was opened to visitors, or closed. */
export const sharesObjectKind = 'shared-base';

/** The rights of a shared base's visitors. */
export type SharedRole = 'editor' | 'viewer';

/** Whether a project is open, in answers. */
export interface ShareEntity {
  /** Null while the project is closed to visitors. */
  readonly uuid: string | null;
  readonly roles: SharedRole | null;
  /** The address for visitors, while there is an id. */
  readonly url?: string;
  /** The sites that may show the project in a frame; absent for none. An extension of the v1 API. */
  readonly embed_sites?: readonly string[];
}

/** Whether a text has the form of a shared base's id. */
export function isShareId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
