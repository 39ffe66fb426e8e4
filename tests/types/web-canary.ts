/** Proves that Node's globals are not visible in browser code; see the portable canary for the reason. */

// @ts-expect-error Node's globals must be unknown here.
export type NodeLeak = typeof process;

/** The DOM must be visible, otherwise this check would be meaningless. */
export type DomIsHere = typeof document;
