import { markDisposed, trackDisposable } from './leak-tracker.ts';

/** Undoes one addition: whatever adds something returns a disposable, which removes exactly that thing. @public */
export interface Disposable {
  /** Undoes what was done. Calling it again changes nothing. */
  dispose(): void | Promise<void>;
}

/** A disposable that runs `undo` once, on the first call; later calls return what the first one returned. @public */
export function toDisposable(undo: () => void | Promise<void>): Disposable {
  let run: (() => void | Promise<void>) | undefined = undo;
  let outcome: void | Promise<void>;
  const disposable: Disposable = {
    dispose() {
      if (run !== undefined) {
        const first = run;
        run = undefined;
        markDisposed(disposable);
        outcome = first();
      }
      return outcome;
    },
  };
  trackDisposable(disposable);
  return disposable;
}
