import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isPlainText, parseJson } from '@trellis/core';
import type { PluginWords } from '@trellis/sdk/server';
import type { PluginLibrary } from './library/plugin-library.ts';

/** Locale names of files: `de`, `zh_CN`. */
const localeName = /^[a-z]{2,3}(?:_[A-Z]{2})?$/;
/** The most bytes of a file of messages; larger files are ignored. */
const largest = 256 * 1024;

/** The most languages to keep in memory. */
const mostKept = 20;

/**
 * The texts by which plugins describe themselves in a language, from `messages/<locale>.json` beside `plugin.json`. They also
 * exist for plugins that are off, and without a web half. An unreadable file counts as empty. They are read once for the folders
 * of the last scan.
 */
export function createPluginWords(library: Pick<PluginLibrary, 'found'>) {
  let found: PluginLibrary['found'] = [];
  const kept = new Map<string, Promise<PluginWords>>();

  return (locale: string): Promise<PluginWords> => {
    if (found !== library.found) {
      ({ found } = library);
      kept.clear();
    }
    const known = kept.get(locale);
    if (known !== undefined) return known;
    const read = readAll(found, locale);
    if (kept.size < mostKept) kept.set(locale, read);
    return read;
  };
}

async function readAll(found: PluginLibrary['found'], locale: string): Promise<PluginWords> {
  const read = await Promise.all(
    found.map(async ({ id, folder }) => [id, folder === '' ? {} : await readWords(folder, locale)] as const),
  );
  return Object.fromEntries(read.filter(([, words]) => Object.keys(words).length > 0));
}

/** The texts of one folder in a language. */
export async function readWords(folder: string, locale: string): Promise<PluginWords[string]> {
  if (!localeName.test(locale)) return {};
  const file = join(folder, 'messages', `${locale}.json`);
  try {
    const text = await readFile(file, 'utf8');
    if (text.length > largest) return {};
    const words = parseJson(text, file);
    if (typeof words !== 'object' || words === null || Array.isArray(words)) return {};
    return Object.fromEntries(
      Object.entries(words).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string' && isPlainText(entry[1]),
      ),
    );
  } catch {
    // Most plugins have a single language.
    return {};
  }
}
