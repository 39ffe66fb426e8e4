/** Proves that the browser's globals are not visible in server code; see the portable canary for why. */

// @ts-expect-error The DOM must be unknown here.
export type DomLeak = typeof document;

/** Node's own globals must be visible, or this check would look at nothing. */
export type NodeIsHere = typeof process;
