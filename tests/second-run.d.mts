/** What is known of a run: its tests by number, a line for each failure, and the files that have failures. */
export interface RunResult {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly string[];
  readonly files: readonly string[];
  /** The names of the tests that passed, as the lines of failures begin. */
  readonly passing: readonly string[];
}

export function filesToRepeat(run: RunResult): readonly string[];
export function afterSecondRun<Run extends RunResult>(
  first: Run,
  second: RunResult,
): Run & { readonly unsteady: readonly string[] };
