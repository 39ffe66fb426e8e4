import { ApiError } from './api.ts';

/** The problems of a form: JSON pointer to message, as for `SchemaForm`. @public */
export type FormProblems = Readonly<Record<string, string>>;

/** The server's problems of a form, by field; empty if the error is about something else. @public */
export function problemsOf(error: unknown): FormProblems {
  if (!(error instanceof ApiError)) return {};
  const { problems } = error.params as { readonly problems?: FormProblems };
  return problems ?? {};
}

/** The remaining problems: a problem is removed when its field changes. @public */
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
