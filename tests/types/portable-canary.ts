/**
 * Proves that neither Node's nor the browser's globals are visible in the portable layers. Ambient types leak silently: one package
 * that references them is enough. Then these lines compile, the expected error is unused, and the check fails.
 */

// @ts-expect-error Node's globals must be unknown here.
export type NodeLeak = typeof process;

// @ts-expect-error The DOM must be unknown here.
export type DomLeak = typeof document;
