/** Proves that the browser's globals are not visible in server code; see the portable canary for the reason. */

// @ts-expect-error The DOM must be unknown here.
export type DomLeak = typeof document;

/** Node's own globals must be visible, otherwise this check would be meaningless. */
export type NodeIsHere = typeof process;
