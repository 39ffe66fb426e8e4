import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { meantInstead, placeAt } from '@trellis/core';
import { callsIn, type SyntaxNode } from './calls-in.ts';
import { knownWords } from './known-words.ts';

/**
 * The custom properties that a build's themes set and the page does not have, a line for each. A theme is read where it is an object
 * in the call of `register`, or a constant.
 *
 * @param sources the files of the web half, among which the place of a mistake is searched
 */
export async function misspeltThemeProperties(
  root: string,
  dist: string,
  sources: readonly string[],
): Promise<readonly string[]> {
  const { themeProperties: known } = await knownWords();
  const registered = await callsIn(dist, 'register');
  const themes = registered.flatMap(([registry, theme]) =>
    registry?.value === 'themes' && theme !== undefined ? [theme] : [],
  );
  const set = themes.flatMap((theme) => ['light', 'dark'].flatMap((scheme) => keysIn(theme, scheme)));
  const wrong = [...new Set(set)].filter((name) => !known.includes(name));
  return Promise.all(
    wrong.map(
      async (name) =>
        `${await placeOf(name, root, sources)}The page has no custom property '--trellis-${name}'${meantInstead(name, known)}`,
    ),
  );
}

function keysIn({ properties = [] }: SyntaxNode, scheme: string): readonly string[] {
  const found = properties.find(({ key }) => nameOf(key) === scheme)?.value;
  return (found?.properties ?? []).flatMap(({ key }) => nameOf(key) ?? []);
}

function nameOf(key: SyntaxNode | undefined): string | undefined {
  return key?.name ?? (typeof key?.value === 'string' ? key.value : undefined);
}

/** The first place of a key in the sources, for the beginning of a message; empty if there is none. */
async function placeOf(name: string, root: string, sources: readonly string[]): Promise<string> {
  const key = new RegExp(`(?<![\\w-])['"]?${name}['"]?\\s*:`);
  for (const file of sources.filter((source) => /\.[jt]sx?$/.test(source))) {
    const text = await readFile(file, 'utf8').catch(() => '');
    const { line, column } = placeAt(text, Math.max(text.search(key), 0));
    if (key.test(text)) return `${relative(root, file)}:${line}:${column} `;
  }
  return '';
}
