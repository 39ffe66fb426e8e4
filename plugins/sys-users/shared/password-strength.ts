/** The four rules of the password meter, 25 points each. */
export const passwordRules = [
  { id: 'length', message: 'Atleast 8 letters.', test: (password: string) => password.length >= 8 },
  { id: 'uppercase', message: 'One Uppercase Letter.', test: (password: string) => /\p{Lu}/u.test(password) },
  { id: 'digit', message: 'One Number.', test: (password: string) => /\d/.test(password) },
  {
    id: 'special',
    message: 'One special letter.',
    test: (password: string) => /[$&+,:;=?@#|'<>.^*()%!_-]/.test(password),
  },
] as const;

export const emptyPasswordHint = 'At least 8 letters with one Uppercase, one number and one special letter';

/** What the meter shows: points out of 100, and the unmet rules. */
export interface PasswordStrength {
  readonly points: number;
  readonly missing: readonly string[];
}

/** Rates a password by the four rules. The server requires only the first one; the meter recommends the others. */
export function passwordStrength(password: string): PasswordStrength {
  const missing = passwordRules.filter((rule) => !rule.test(password)).map((rule) => rule.message);
  return { points: (passwordRules.length - missing.length) * 25, missing };
}

export const minimumPasswordLength = 8;
/** Longer texts would only cost time to hash. */
export const maximumPasswordLength = 256;
