import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Contribution, meantInstead, nearestWord, type PluginManifest, pointer } from '@trellis/core';
import { neededPlugins } from '../archive/needed-plugins.ts';
import { type JsonPlaces, manifestPlaces } from './json-places.ts';
import { type KnownWords, knownWords } from './known-words.ts';
import { at } from './read-manifest.ts';

/**
 * Words of a manifest that nothing reads, or that name nothing: capabilities, the icon, and the keys, storage, fallback and shown
 * registries of what it announces.
 *
 * @returns a line for each
 */
export async function misspeltWords(root: string, manifest: PluginManifest): Promise<readonly string[]> {
  const [known, places] = await Promise.all([knownWords(), manifestPlaces(root)]);
  return [
    ...(manifest.permissions ?? []).flatMap((word, index) =>
      isNearMiss(word, known.capabilities)
        ? [
            `${at(places.ofValue(`/permissions/${index}`))} '${word}' is no capability of the product${meantInstead(word, known.capabilities)}`,
          ]
        : [],
    ),
    ...absentIcon(root, manifest, known, places),
    ...Object.entries(manifest.contributes ?? {}).flatMap(([registry, items = []]) =>
      items.flatMap((item, index) =>
        typeof item === 'string'
          ? []
          : wrongKeys(item, known.keys.get(registry)).map(
              ([key, message]) =>
                `${at(places.ofKey(pointer(`/contributes/${registry}/${index}`, key)))} ${message}`,
            ),
      ),
    ),
    ...columnTypeSlips(root, manifest, known, places),
    ...shownRegistries(manifest, known, places),
  ];
}

/** Whether a word is meant to be one of the product's, among which others may be too. */
function isNearMiss(word: string, known: readonly string[]): boolean {
  return !known.includes(word) && nearestWord(word, known) !== undefined;
}

function absentIcon(
  root: string,
  { icon }: PluginManifest,
  { icons }: KnownWords,
  places: JsonPlaces,
): readonly string[] {
  if (icon === undefined || icons.includes(icon) || existsSync(join(root, icon))) return [];
  const wrong = /[./]/.test(icon)
    ? `is no file of the plugin.`
    : `is neither a name of primeicons nor a file of the plugin${meantInstead(icon, icons)}`;
  return [`${at(places.ofValue('/icon'))} The icon '${icon}' ${wrong}`];
}

/** The keys of an item that nothing reads. Of another author's registries, the keys are not known. */
function wrongKeys(
  item: Contribution,
  known: readonly string[] | undefined,
): readonly (readonly [key: string, message: string])[] {
  if (known === undefined) return [];
  return Object.keys(item)
    .filter((key) => !known.includes(key))
    .map((key) => [key, `'${key}' of '${item.id}' is a key that nothing reads${meantInstead(key, known)}`]);
}

function columnTypeSlips(
  root: string,
  { contributes }: PluginManifest,
  known: KnownWords,
  places: JsonPlaces,
): readonly string[] {
  const own = typesOf(contributes);
  const needed = neededPlugins(root).flatMap(({ manifest }) => typesOf(manifest.contributes));
  const types = [...known.columnTypes, ...[...own, ...needed].map(({ id }) => id)];
  return own.flatMap((type, index) => {
    const place = (key: string) => at(places.ofValue(`/contributes/columnTypes/${index}/${key}`));
    const [storage, fallback] = [wordOf(type['storage']), wordOf(type['fallback'])];
    return [
      ...(storage === undefined || known.storageKinds.includes(storage)
        ? []
        : [
            `${place('storage')} '${storage}' is no kind of storage${meantInstead(storage, known.storageKinds)}`,
          ]),
      ...(fallback === undefined || types.includes(fallback)
        ? []
        : [
            `${place('fallback')} The fallback '${fallback}' is no column type${meantInstead(fallback, types)}`,
          ]),
    ];
  });
}

/** A word as it stands in the manifest. */
function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function typesOf(contributes: PluginManifest['contributes']): readonly Contribution[] {
  return (contributes?.['columnTypes'] ?? []) as readonly Contribution[];
}

function shownRegistries(
  { contributes, dependencies, optionalDependencies }: PluginManifest,
  { registries }: KnownWords,
  places: JsonPlaces,
): readonly string[] {
  const hasOthers = Object.keys({ ...dependencies, ...optionalDependencies }).length > 0;
  return (contributes?.pages ?? []).flatMap(({ shows = [] }, page) =>
    shows.flatMap((id, index) =>
      registries.includes(id) || (hasOthers && !isNearMiss(id, registries))
        ? []
        : [
            `${at(places.ofValue(`/contributes/pages/${page}/shows/${index}`))} '${id}' is no registry${meantInstead(id, registries)}`,
          ],
    ),
  );
}
