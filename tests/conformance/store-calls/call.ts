import type { AccessScope, TableHandle } from '@trellis/sdk/server';

/** The place and the objects of a call. */
export interface Ground {
  readonly scope: AccessScope;
  readonly tableId: string;
  readonly columnId: string;
  readonly viewId: string;
  /** A handle in the caller's scope that was created with another person's: a plugin that confuses them must still be refused. */
  readonly handle: () => TableHandle;
}

export interface Call {
  readonly permission: string;
  /** A second permission that the call needs. */
  readonly also?: string;
  /** Uses ids that were never issued where the call would change something: a permitted caller then gets 404 or 400. */
  readonly make: (ground: Ground) => unknown;
}

export const unissued = {
  table: 'md_00000000000000',
  column: 'cl_00000000000000',
  view: 'vw_00000000000000',
};

/** Methods without a caller: those for the host and for a plugin's administration; and the stores within stores. */
export const withoutCaller = new Set([
  'sync',
  'objects',
  'files',
  'limit',
  'release',
  'sweep',
  'trash',
  'bases',
  'loadKind',
  'sweepLoads',
  'resumeJobs',
  'dispose',
  'open',
  'keyOf',
  'record',
  'settlePending',
]);
