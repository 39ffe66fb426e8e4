/**
 * The few platform features that core needs and that both Node and browsers have. They are declared here because core is checked
 * without Node's types and without the DOM's.
 */

interface MinimalAbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The platform's own `AbortSignal` if its types are loaded, else the part of it that core uses; for code of both halves. @public */
export type PlatformAbortSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : MinimalAbortSignal;

interface PlatformAbortController {
  readonly signal: PlatformAbortSignal;
  abort(reason?: unknown): void;
}

interface Platform {
  readonly AbortController: new () => PlatformAbortController;
  setTimeout(run: () => void, milliseconds: number): unknown;
  clearTimeout(handle: unknown): void;
}

const platform = globalThis as unknown as Platform;

/** A controller of the platform's own kind, so that its signal can be handed to `fetch` and to drivers. */
export function createAbortController(): PlatformAbortController {
  return new platform.AbortController();
}

/** Starts a timer; the returned function stops it. */
export function startTimer(milliseconds: number, run: () => void): () => void {
  const handle = platform.setTimeout(run, milliseconds);
  return () => platform.clearTimeout(handle);
}
