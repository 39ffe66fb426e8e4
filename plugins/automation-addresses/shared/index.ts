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
