type Models = typeof import('./index.ts');

/**
 * The models of the metadata. objection is loaded on first use, so that it does not slow the start. A caller that may be the first
 * loads it before a transaction begins, which would otherwise wait for it.
 */
export function models(): Promise<Models> {
  return import('./index.ts');
}
