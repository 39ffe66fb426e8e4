/** The header by which a visitor shows the id of a shared base. */
export const visitorHeader = 'xc-shared-base-id';

/** The kind of the live event that tells that a project was opened to visitors, or closed. */
export const sharesObjectKind = 'shared-base';

/** What visitors of a shared base may do. */
export type SharedRole = 'editor' | 'viewer';

/** Whether a project is open, as it travels. */
export interface ShareEntity {
  /** Null while the project is closed to visitors. */
  readonly uuid: string | null;
  readonly roles: SharedRole | null;
  /** Where visitors come in, while there is an id. */
  readonly url?: string;
  /** An extra of ours: the sites that may show the project inside theirs; left out where none may. */
  readonly embed_sites?: readonly string[];
}

/** Whether a text has the form of the id of a shared base. */
export function isShareId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
