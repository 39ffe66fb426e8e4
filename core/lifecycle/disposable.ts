import { markDisposed, trackDisposable } from './leak-tracker.ts';

/** The way back: whatever adds something returns one, and disposing it takes exactly that thing away again. @public */
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
