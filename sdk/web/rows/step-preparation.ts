/** Changes around the rows before a step, such as new options of a list: they are undone and redone with the step. @public */
export interface StepPreparation {
  /** Undoes it. Called after the rows of the step were undone; what others use by now stays. */
  undo(this: void): Promise<void>;
  /** Redoes it. Called before the rows of the step are written again. */
  redo(this: void): Promise<void>;
}

/** Combines several, undefined for none; they run in sequence, since each may change the same table. */
export function together(preparations: readonly StepPreparation[]): StepPreparation | undefined {
  if (preparations.length === 0) return undefined;
  return {
    async undo() {
      for (const preparation of preparations.toReversed()) await preparation.undo();
    },
    async redo() {
      for (const preparation of preparations) await preparation.redo();
    },
  };
}
