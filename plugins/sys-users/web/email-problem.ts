/** The problem of a typed address as untranslated text, or undefined. */
export function emailProblem(email: string): string | undefined {
  if (email.trim() === '') return 'E-mail is required';
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()) ? undefined : 'E-mail must be valid';
}
