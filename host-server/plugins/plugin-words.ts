import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '@trellis/core';
import type { PluginWords } from '@trellis/sdk/server';
import type { PluginLibrary } from './library/plugin-library.ts';

/** As files are called: `de`, `zh_CN`. */
const localeName = /^[a-z]{2,3}(?:_[A-Z]{2})?$/;
/** Bytes of a file of messages; a larger one is none. */
const largest = 256 * 1024;

/**
 * What the folders of plugins say in a language of themselves, in `messages/<locale>.json` beside `plugin.json`: the same for plugins that
 * are off, and for those without a web half. A file that cannot be read says nothing.
 */
export async function wordsOf(library: Pick<PluginLibrary, 'found'>, locale: string): Promise<PluginWords> {
  if (!localeName.test(locale)) return {};
  const read = await Promise.all(
    library.found.map(async ({ id, folder }) => {
      const words = folder === '' ? {} : await readWords(join(folder, 'messages', `${locale}.json`));
      return [id, words] as const;
    }),
  );
  return Object.fromEntries(read.filter(([, words]) => Object.keys(words).length > 0));
}

async function readWords(file: string): Promise<Readonly<Record<string, string>>> {
  try {
    const text = await readFile(file, 'utf8');
    if (text.length > largest) return {};
    const words = parseJson(text, file);
    if (typeof words !== 'object' || words === null || Array.isArray(words)) return {};
    return Object.fromEntries(
      Object.entries(words).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    // Most plugins speak one language.
    return {};
  }
}
