import { minimumPasswordLength } from '../shared/index.ts';

/** The problem of a new password as untranslated text, or undefined. */
export function newPasswordProblem(password: string): string | undefined {
  if (password === '') return 'Password is required';
  return password.length < minimumPasswordLength ? 'You password must be atleast 8 characters' : undefined;
}
