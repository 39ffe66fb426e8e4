/** Characters of a value. */
export const longestValue = 4000;
/** Characters of a secret: one of fewer could not be told from other text where it is masked. */
export const shortestSecret = 6;
export const mostVariables = 200;
/** As templates write it. */
export const namePattern = '^[A-Za-z][A-Za-z0-9_]{0,63}$';

/** What events call them; the names that templates may use are read again by it as well. */
export const variablesObjectKind = 'variables';

/** A variable of a project as it travels. */
export interface VariableEntity {
  readonly name: string;
  readonly is_secret: boolean;
  /** Null for a secret: nobody reads it again. */
  readonly value: string | null;
  readonly updated_at: string;
}
