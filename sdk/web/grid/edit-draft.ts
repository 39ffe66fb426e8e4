import type { EditorDraft } from '../extensions/index.ts';

/** The draft of the open editor, and its initial text if known. */
export interface EditDraft {
  readonly holds: EditorDraft;
  readonly start: string | undefined;
  /** The text from which a value was parsed; undefined if it was chosen. */
  readonly typed?: string;
}

/** Whether the draft differs from the initial text. */
export function isNewDraft(draft: EditDraft | undefined): draft is EditDraft {
  return draft !== undefined && (draft.holds.kind === 'value' || draft.holds.text !== draft.start);
}
