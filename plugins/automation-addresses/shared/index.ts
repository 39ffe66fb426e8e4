/** What the trigger "A web address is called" looks like. */
export const addressCalled = {
  id: 'address.called',
  label: 'A web address is called',
  icon: 'globe',
  order: 60,
  inputs: [
    {
      id: 'address',
      label: 'Address',
      kind: 'part',
      part: 'automation-addresses.address',
      isRequired: true,
    },
  ],
  values: ['body', 'query', 'at'],
} as const;

export const base = '/api/v1/plugins/automation-addresses';

/** The path of an address on this server. */
export function callPath(address: string): string {
  return `${base}/calls/${address}`;
}

/** Names an address without being it: its first characters are drawn by lot, and nobody finds the others by them. */
export function idOfAddress(address: string): string {
  return address.slice(0, 20);
}

/** What somebody sent last to an address; ISO 8601, UTC. */
export interface LastCall {
  readonly at: string;
  readonly body: unknown;
}

/** A call that was refused although its address is one; ISO 8601, UTC. */
export interface RefusedCall {
  readonly at: string;
  /** Why, as it was answered. */
  readonly msg: string;
  readonly code: string;
}

/** What came to an address last, for whoever builds what it starts. */
export interface LastCalls {
  /** Whether an automation of the project is saved with it, on or off: before that it answers nobody. */
  readonly is_saved: boolean;
  readonly call: LastCall | null;
  /** The last one that was refused; null for none since `call`. */
  readonly refused: RefusedCall | null;
}
