import { placeholderFor } from '@trellis/sdk/shared';

/** What a template may name, and what it was. */
export interface NamedValue {
  readonly placeholder: string;
  readonly value: string;
}

const most = 30;
const longest = 80;

/** The placeholders for what was sent, with the beginnings of its values. */
export function namesIn(body: unknown, path: readonly string[] = ['trigger', 'body']): readonly NamedValue[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return [{ placeholder: placeholderFor(path), value: text.slice(0, longest) }];
  }
  return Object.entries(body)
    .flatMap(([name, value]) => namesIn(value, [...path, name]))
    .slice(0, most);
}
