import { ApiError } from './api.ts';

/** What is wrong in a form: JSON pointer to message, as `SchemaForm` shows it. @public */
export type FormProblems = Readonly<Record<string, string>>;

/** What the server found wrong with a form, by field; empty when the error is about something else. @public */
export function problemsOf(error: unknown): FormProblems {
  if (!(error instanceof ApiError)) return {};
  const { problems } = error.params as { readonly problems?: FormProblems };
  return problems ?? {};
}

/** Those that still hold: a problem is gone as soon as its field changes. @public */
export function problemsAfter(
  problems: FormProblems,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): FormProblems {
  return Object.fromEntries(
    Object.entries(problems).filter(([pointer]) => {
      const field = (pointer.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
      return before[field] === after[field];
    }),
  );
}
