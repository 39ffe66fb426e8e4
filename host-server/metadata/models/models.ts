type Models = typeof import('./index.ts');

/**
 * The models of the metadata. objection is loaded when they are first asked for, so that a start does not pay for it. Whoever may
 * be first asks before a transaction begins, which then does not wait for the loading.
 */
export function models(): Promise<Models> {
  return import('./index.ts');
}
