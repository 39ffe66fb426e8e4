import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { meantInstead } from '@trellis/core';
import { callsIn } from './calls-in.ts';
import { knownWords } from './known-words.ts';
import { JsonPlaces, manifestPlaces } from './json-places.ts';
import { at, readManifest } from './read-manifest.ts';

/** The product's hooks that a build taps by name, among those with which it could change or refuse operations. */
export async function tappedHooks(dist: string): Promise<readonly string[]> {
  const { hooks } = await knownWords();
  const calls = await callsIn(dist, 'tap');
  const tapped = new Set(calls.map(([first]) => first?.value));
  return hooks.filter((id) => tapped.has(id));
}

/**
 * Compares the hooks in a manifest with those that its build taps.
 *
 * @returns a line for each hook that is not listed, that is listed but not tapped, or that does not exist
 */
export async function hookDifferences(root: string, tapped: readonly string[]): Promise<readonly string[]> {
  const { hooks: known } = await knownWords();
  const manifest = await readManifest(root);
  const { dependencies = {}, optionalDependencies = {}, contributes = {} } = manifest;
  const listed = contributes.hooks ?? [];
  const places = await manifestPlaces(root);
  const hasOthers = Object.keys({ ...dependencies, ...optionalDependencies }).length > 0;
  return [
    ...tapped
      .filter((id) => !listed.includes(id))
      .map(
        (id) =>
          `${at(places.ofKey('/contributes/hooks'))} The plugin taps '${id}', by which it could change or refuse what people do, and contributes.hooks does not list it; 'check --write' writes it there.`,
      ),
    ...listed.flatMap((id, index) => {
      const place = at(places.ofValue(`/contributes/hooks/${index}`));
      if (known.includes(id))
        return tapped.includes(id) ? [] : [`${place} The plugin taps '${id}' nowhere; do not ask for it.`];
      return hasOthers ? [] : [`${place} '${id}' is no hook that asks plugins${meantInstead(id, known)}`];
    }),
  ];
}

/** Writes the tapped hooks into the manifest, in addition to those of other plugins; the rest stays as its author wrote it. */
export async function writeHooks(root: string, tapped: readonly string[]): Promise<void> {
  const { hooks: known } = await knownWords();
  const { contributes } = await readManifest(root);
  const listed = contributes?.hooks ?? [];
  const hooks = [...tapped, ...listed.filter((id) => !known.includes(id))];
  if (hooks.toSorted().join() === listed.toSorted().join()) return;
  const file = join(root, 'plugin.json');
  const text = await readFile(file, 'utf8');
  const places = new JsonPlaces(text);
  const written = JSON.stringify(hooks).replaceAll(',', ', ');
  const [from, to, inserted] = placeOf();
  await writeFile(file, `${text.slice(0, from)}${inserted}${text.slice(to)}`);

  function placeOf(): readonly [from: number, to: number, text: string] {
    const value = places.offsetOf('/contributes/hooks');
    if (value !== undefined) return [value, text.indexOf(']', value) + 1, written];
    const object = places.offsetOf('/contributes');
    if (object !== undefined) {
      const separator = Object.keys(contributes ?? {}).length > 0 ? ',' : '';
      return [object + 1, object + 1, `\n    "hooks": ${written}${separator}`];
    }
    const end = text.lastIndexOf('}');
    return [text.slice(0, end).trimEnd().length, end, `,\n  "contributes": { "hooks": ${written} }\n`];
  }
}
