import { pointer, type SchemaProblem } from '../settings/schema-problem.ts';

/** Levels of lists and objects: settings are the deepest part, and no form shows as many. */
const deepest = 40;
const mostProblems = 20;

/**
 * What is not what people see: control characters other than line breaks and tabs, marks that turn the text around them round, and
 * halves of characters.
 */
const unseen = /[^\P{Cc}\n\r\t]|[\u202a-\u202e\u2066-\u2069\p{Zl}\p{Zp}\p{Cs}\ufeff]/u;

/** A letter, a number or a sign: a name of blanks and marks alone cannot be seen. */
const seen = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether people see all of a text. */
export function isPlainText(text: string): boolean {
  return !unseen.test(text);
}

/**
 * A text without control characters, without marks that turn the text around them round, and without halves of characters, so that it is
 * what people see. For texts of strangers that people decide by.
 * @public
 */
export function toPlainText(text: string): string {
  return text.replace(new RegExp(unseen, 'gu'), '');
}

/**
 * Checks all texts of a manifest, which are shown to people who decide about the plugin, and how deep it nests. Walks without
 * recursion, so that no manifest exhausts the stack.
 */
export function checkTexts(manifest: unknown): readonly SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const waiting = [{ path: '', value: manifest, depth: 0 }];
  for (let at = waiting.pop(); at !== undefined && problems.length < mostProblems; at = waiting.pop()) {
    const { path, value, depth } = at;
    if (typeof value === 'string' && !isPlainText(value)) problems.push({ path, ...notPlain });
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= deepest)
      return [{ path: '', keyword: 'depth', message: `must not nest deeper than ${deepest} levels` }];
    for (const [key, item] of Object.entries(value)) {
      if (!isPlainText(key)) problems.push({ path, ...notPlain });
      waiting.push({ path: pointer(path, toPlainText(key)), value: item, depth: depth + 1 });
    }
  }
  const { name } = Object(manifest) as { readonly name?: unknown };
  if (typeof name === 'string' && name !== '' && !seen.test(name))
    problems.push({ path: '/name', keyword: 'text', message: 'must hold something that people see' });
  return problems;
}

const notPlain = {
  keyword: 'text',
  message: 'must not hold control characters, or marks that turn text round',
} as const;
