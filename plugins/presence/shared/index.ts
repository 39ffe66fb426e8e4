/** Where somebody is in a table: nothing where they are in no cell. */
export interface Whereabouts {
  readonly row?: string;
  readonly column?: string;
}

export const presenceTopic = 'presence';
