import { placeholderFor } from '@trellis/sdk/shared';

/** A value that a template can use, and what it was last time. */
export interface NamedValue {
  readonly placeholder: string;
  readonly value: string;
}

const most = 30;
const longest = 80;

/** The placeholders for the sent values, with the beginning of each value. */
export function namesIn(body: unknown, path: readonly string[] = ['trigger', 'body']): readonly NamedValue[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return [{ placeholder: placeholderFor(path), value: text.slice(0, longest) }];
  }
  return Object.entries(body)
    .flatMap(([name, value]) => namesIn(value, [...path, name]))
    .slice(0, most);
}
