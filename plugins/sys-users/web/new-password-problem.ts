import { minimumPasswordLength } from '../shared/index.ts';

/** What is wrong with a new password, in the product's words, or undefined. */
export function newPasswordProblem(password: string): string | undefined {
  if (password === '') return 'Password is required';
  return password.length < minimumPasswordLength ? 'You password must be atleast 8 characters' : undefined;
}
