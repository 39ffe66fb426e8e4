/** The most characters of a value. */
export const longestValue = 4000;
/** The fewest characters of a secret: masking could not distinguish a shorter one from other text. */
export const shortestSecret = 6;
export const mostVariables = 200;
/** As templates write it. */
export const namePattern = '^[A-Za-z][A-Za-z0-9_]{0,63}$';

/** The kind of the live event; the names available to templates are read again with it as well. */
export const variablesObjectKind = 'variables';

/** A variable of a project, in answers. */
export interface VariableEntity {
  readonly name: string;
  readonly is_secret: boolean;
  /** Null for a secret, which cannot be read. */
  readonly value: string | null;
  readonly updated_at: string;
}
