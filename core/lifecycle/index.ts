export { systemClock, TimeLimitError, withTimeLimit, type Clock } from './clock.ts';
export { toDisposable, type Disposable } from './disposable.ts';
export { DisposableStore } from './disposable-store.ts';
export { Emitter, type EmitterOptions, type Event } from './emitter.ts';
export { LeakTracker, type Leak } from './leak-tracker.ts';
export { ManualClock } from './manual-clock.ts';
export { createAbortController, type PlatformAbortSignal } from './platform.ts';
export { onUnexpectedError, setUnexpectedErrorHandler } from './unexpected-error.ts';
