import { ApiError } from '@trellis/sdk/web';

export type Values = Readonly<Record<string, unknown>>;
/** JSON pointer to message. */
export type Problems = Readonly<Record<string, string>>;

/** What the server found wrong, by field; empty when the error is about something else. */
export function problemsOf(error: unknown): Problems {
  if (!(error instanceof ApiError) || error.code !== 'SETTINGS_INVALID') return {};
  const { problems } = error.params as { readonly problems?: Problems };
  return problems ?? {};
}

/** Those that still hold: a problem is gone as soon as its field changes. */
export function problemsAfter(problems: Problems, before: Values, after: Values): Problems {
  return Object.fromEntries(
    Object.entries(problems).filter(([pointer]) => {
      const field = (pointer.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
      return before[field] === after[field];
    }),
  );
}
