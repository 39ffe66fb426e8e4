/** The kind of object that notes are, in the page's registry and in live events. */
export const notesKind = 'acme-notes';

/** A note's longest text, in characters. */
export const longestNote = 5000;

const base = '/api/v1/plugins/acme-notes';

/** The address of the notes of a project. */
export const notesPath = (projectId: string) => `${base}/projects/${encodeURIComponent(projectId)}/notes`;

/** The address of the note about a table. */
export const notePath = (tableId: string) => `${base}/tables/${encodeURIComponent(tableId)}/note`;
