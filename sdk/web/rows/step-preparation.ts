/** What was changed around the rows for a step before it, such as new options of a list: it goes and comes back with the step. @public */
export interface StepPreparation {
  /** Takes it back. Called after the rows of the step were taken back; what others use by now stays. */
  undo(this: void): Promise<void>;
  /** Makes it again. Called before the rows of the step are written again. */
  redo(this: void): Promise<void>;
}

/** Several as one, undefined for none; one after the other, since each may change the same table. */
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
