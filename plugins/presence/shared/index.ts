/** A person's position in a table: empty if they are in no cell. */
export interface Whereabouts {
  readonly row?: string;
  readonly column?: string;
}

export const presenceTopic = 'presence';
