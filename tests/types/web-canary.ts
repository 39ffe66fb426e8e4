/** Proves that Node's globals are not visible in code for the browser; see the portable canary for why. */

// @ts-expect-error Node's globals must be unknown here.
export type NodeLeak = typeof process;

/** The DOM must be visible, or this check would look at nothing. */
export type DomIsHere = typeof document;
