import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  messageOf,
  nearestWord,
  parseJson,
  type PluginManifest,
  pointer,
  type TextPlace,
} from '@trellis/core';
import { JsonPlaces } from './json-places.ts';
import { pluginSources } from './plugin-sources.ts';

type Texts = Readonly<Record<string, string>>;

/** Where files of messages lie: those of the page, and those that the app store shows. */
const messageFolders = ['web/messages', 'messages'];

/** Letters by which a key may differ from a text that it is taken for: other sentences differ by more. */
const typingErrors = 2;

const pluralForm = /_(?:zero|one|two|few|many|other)$/;

/**
 * Mistakes in the files of messages: keys that are a letter beside a text of the product or of the plugin, and marks (`{{name}}`) that
 * nothing fills in or that are left out.
 *
 * @returns a line for each
 */
export async function misspeltTexts(root: string): Promise<readonly string[]> {
  const files = await messageFilesOf(root);
  if (files.length === 0) return [];
  const [english, sources] = await Promise.all([englishTexts(), sourcesOf(root)]);
  const known = new Set([...Object.keys(english).map(withoutForm), ...literalsOf(sources)]);
  const lines = await Promise.all(files.map((file) => slipsIn(root, file, { english, known, sources })));
  return lines.flat();
}

/** How much of the product the plugin's languages translate, as a sentence; undefined for a plugin that brings none. */
export async function translatedPart(
  root: string,
  { contributes }: PluginManifest,
): Promise<string | undefined> {
  const locales = (contributes?.['locales'] ?? []).map((of) => (typeof of === 'string' ? of : of.id));
  if (locales.length === 0) return undefined;
  const all = new Set(Object.keys(await englishTexts()).map(withoutForm));
  const parts = await Promise.all(
    locales.map(async (locale) => {
      const file = join(root, 'web/messages', `${locale}.json`);
      if (!existsSync(file)) return undefined;
      const translated = new Set(Object.keys(await readTexts(file).catch(() => ({}))).map(withoutForm));
      const done = [...all].filter((text) => translated.has(text)).length;
      return `${locale} has ${done} of the product's ${all.size} texts, which are in node_modules/@trellis/sdk/texts.json`;
    }),
  );
  const said = parts.filter((part) => part !== undefined);
  return said.length === 0 ? undefined : said.join('; ');
}

/** What is compared with the files of messages. */
interface Ground {
  readonly english: Texts;
  /** The texts for which a key may be meant. */
  readonly known: ReadonlySet<string>;
  readonly sources: string;
}

async function slipsIn(root: string, file: string, ground: Ground): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8');
  let messages: Texts;
  try {
    messages = parseJson(text, relative(root, file)) as Texts;
  } catch (error) {
    // What the page's half takes in is told by its build.
    return relative(root, file).startsWith('web') ? [] : [messageOf(error)];
  }
  const places = new JsonPlaces(text);
  const at = ({ line, column }: TextPlace) => `${relative(root, file)}:${line}:${column}`;
  return Object.entries(messages).flatMap(([key, translated]) => {
    const path = pointer('', key);
    if (typeof translated !== 'string') return [`${at(places.ofValue(path))} '${key}' must be a text.`];
    const meant = meantText(withoutForm(key), ground);
    if (meant !== undefined)
      return [
        `${at(places.ofKey(path))} '${key}' is no text of the product or of the plugin; did you mean '${meant}'?`,
      ];
    return markSlips(key, translated, ground.english).map((slip) => `${at(places.ofValue(path))} ${slip}`);
  });
}

/** The text for which a key is misspelt; undefined for one that somebody shows, or that resembles none. */
function meantText(key: string, { known, sources }: Ground): string | undefined {
  if (known.has(key) || sources.includes(key.replace(/^error\./, ''))) return undefined;
  return nearestWord(key, [...known], typingErrors);
}

function markSlips(key: string, translated: string, english: Texts): readonly string[] {
  const source = english[key] ?? english[`${withoutForm(key)}_other`] ?? withoutForm(key);
  // Of an error of the plugin's own, what is filled in stands in its server half.
  if (key.startsWith('error.') && english[key] === undefined) return [];
  const [wanted, given] = [marksOf(source), marksOf(translated)];
  const counts = pluralForm.test(key);
  const unknown = given.filter((mark) => !wanted.includes(mark) && !(counts && mark === 'count'));
  // One thing needs no number, and what an error tells is not always worth repeating.
  const isFree = counts || key.startsWith('error.');
  const absent = isFree ? [] : wanted.filter((mark) => !given.includes(mark));
  return [
    ...unknown.map((mark) => {
      const meant = nearestWord(mark, wanted);
      return `Nothing fills in '{{${mark}}}' of '${key}'${meant === undefined ? '.' : `; did you mean '{{${meant}}}'?`}`;
    }),
    ...(unknown.length > 0
      ? []
      : absent.map((mark) => `'${key}' is translated without '{{${mark}}}', which is filled in.`)),
  ];
}

function marksOf(text: string): readonly string[] {
  return [...text.matchAll(/\{\{-?\s*(\w+)[^}]*\}\}/g)].map(([, name = '']) => name);
}

/** Texts of four letters or more: near shorter ones is every other word. */
function literalsOf(sources: string): readonly string[] {
  const quoted = [...sources.matchAll(/(['"`])(.*?)\1/g)].map(([, , text = '']) => text);
  return quoted.filter((text) => text.length >= 4);
}

const withoutForm = (key: string): string => key.replace(pluralForm, '');

async function messageFilesOf(root: string): Promise<readonly string[]> {
  const found = await Promise.all(
    messageFolders.map(async (folder) => {
      const names = await readdir(join(root, folder)).catch(() => []);
      return names.filter((name) => name.endsWith('.json')).map((name) => join(root, folder, name));
    }),
  );
  return found.flat();
}

/** Everything in which the plugin may have a text, without escapes. */
async function sourcesOf(root: string): Promise<string> {
  const [manifest, sources] = await Promise.all([
    readFile(join(root, 'plugin.json'), 'utf8'),
    pluginSources(root),
  ]);
  return [manifest, ...sources.map(({ text }) => text)].join('\n').replaceAll('\\', '');
}

async function englishTexts(): Promise<Texts> {
  return readTexts(fileURLToPath(import.meta.resolve('@trellis/sdk/texts.json')));
}

async function readTexts(file: string): Promise<Texts> {
  return parseJson(await readFile(file, 'utf8'), file) as Texts;
}
