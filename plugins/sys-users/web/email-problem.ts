/** What is wrong with a typed address, in the product's words, or undefined. */
export function emailProblem(email: string): string | undefined {
  if (email.trim() === '') return 'E-mail is required';
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()) ? undefined : 'E-mail must be valid';
}
