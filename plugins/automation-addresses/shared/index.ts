/** The description of the trigger "A web address is called". */
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

/** Identifies an address without revealing it: its first characters are random, and the others cannot be derived from them. */
export function idOfAddress(address: string): string {
  return address.slice(0, 20);
}

/** The last call of an address; ISO 8601, UTC. */
export interface LastCall {
  readonly at: string;
  readonly body: unknown;
}

/** A refused call of an address; ISO 8601, UTC. */
export interface RefusedCall {
  readonly at: string;
  /** The reason, as it was answered. */
  readonly msg: string;
  readonly code: string;
}

/** The last calls of an address, for the editor of its automation. */
export interface LastCalls {
  /** Whether a saved automation of the project uses it, on or off: before that it accepts no calls. */
  readonly is_saved: boolean;
  readonly call: LastCall | null;
  /** The last refused call; null if none was refused since `call`. */
  readonly refused: RefusedCall | null;
}
