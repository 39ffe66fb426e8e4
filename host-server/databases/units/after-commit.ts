/** Runs the actions that waited for a commit. The commit is final, so an error is reported and not thrown. */
export function runAfterCommit(actions: readonly (() => void)[]): void {
  for (const action of actions) {
    try {
      action();
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.emitWarning(text, { type: 'AfterCommitFailure' });
    }
  }
}
