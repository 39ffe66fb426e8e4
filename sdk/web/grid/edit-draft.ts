import type { EditorDraft } from '../extensions/index.ts';

/** What the open editor holds, and what it began with where that is known. */
export interface EditDraft {
  readonly holds: EditorDraft;
  readonly start: string | undefined;
  /** The text that a held value was read from; undefined where it was chosen. */
  readonly typed?: string;
}

/** True for what is more than the editor began with. */
export function isNewDraft(draft: EditDraft | undefined): draft is EditDraft {
  return draft !== undefined && (draft.holds.kind === 'value' || draft.holds.text !== draft.start);
}
