import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  meantInstead,
  nearestWord,
  type PluginManifest,
  pointer,
  satisfies,
  SDK_CONTRACT,
} from '@trellis/core';
import { manifestPlaces } from './json-places.ts';
import { neededPlugins } from '../archive/needed-plugins.ts';
import { at } from './read-manifest.ts';

type Ranges = Readonly<Record<string, string>>;

/**
 * Parts of a manifest that do not fit this SDK's product: the versions that it requires, and words that are very similar to the
 * product's. Any other category may be another author's, and so may any other plugin that was found.
 *
 * @returns a line for each mistake
 */
export async function unfitManifest(root: string, manifest: PluginManifest): Promise<readonly string[]> {
  const places = await manifestPlaces(root);
  const { version, plugins } = await product();
  const { engines, sdk, category, dependencies = {}, optionalDependencies = {}, conflicts = {} } = manifest;
  const needed = neededPlugins(root);
  const categories = [...new Set([...plugins.values()].map((plugin) => plugin.category))];
  const isMisspelt = (word: string, known: readonly string[]) =>
    !known.includes(word) && nearestWord(word, known) !== undefined;

  const needs = ([group, ranges]: readonly [string, Ranges]): readonly string[] =>
    Object.entries(ranges).flatMap(([id, range]) => {
      const path = pointer(`/${group}`, id);
      const there = plugins.get(id)?.version;
      if (there === undefined) {
        const other = needed.find(({ manifest: of }) => of.id === id);
        if (other !== undefined)
          return group === 'conflicts' || satisfies(other.manifest.version, range)
            ? []
            : [
                `${at(places.ofValue(path))} '${id}' is ${other.manifest.version} in ${other.folder}, which '${range}' leaves out.`,
              ];
        if (isMisspelt(id, [...plugins.keys()]))
          return [
            `${at(places.ofKey(path))} '${id}' is no plugin of the product${meantInstead(id, [...plugins.keys()])}`,
          ];
        return group === 'dependencies'
          ? [
              `${at(places.ofKey(path))} '${id}' is no plugin of the product, and the check runs this one beside it: put its folder beside this one, or run "npm install --save-dev <its folder>".`,
            ]
          : [];
      }
      return group === 'conflicts' || satisfies(there, range)
        ? []
        : [
            `${at(places.ofValue(path))} '${id}' is ${there} in the product of this SDK, which '${range}' leaves out.`,
          ];
    });

  return [
    ...places.repeated.map(
      ({ path, key }) =>
        `${at(places.ofKey(path))} '${key}' stands twice in one object; the last one counts.`,
    ),
    ...(isMisspelt(category, categories)
      ? [
          `${at(places.ofValue('/category'))} '${category}' is no category${meantInstead(category, categories)}`,
        ]
      : []),
    ...(satisfies(version, engines.trellis)
      ? []
      : [
          `${at(places.ofValue('/engines/trellis'))} The product of this SDK is ${version}, which '${engines.trellis}' leaves out; widen the range, or install the SDK that you mean.`,
        ]),
    ...(sdk === SDK_CONTRACT
      ? []
      : [
          `${at(places.ofValue('/sdk'))} 'sdk' is the number of the contract, and that of this SDK is ${SDK_CONTRACT}, not ${sdk}.`,
        ]),
    ...Object.entries({ dependencies, optionalDependencies, conflicts }).flatMap(needs),
  ];
}

type Known = Pick<PluginManifest, 'id' | 'version' | 'category'>;

/** The product of this SDK. */
async function product(): Promise<{
  readonly version: string;
  readonly plugins: ReadonlyMap<string, Known>;
}> {
  const file = fileURLToPath(import.meta.resolve('@trellis/sdk/package.json'));
  const { version } = JSON.parse(await readFile(file, 'utf8')) as { readonly version: string };
  const folder = join(file, '../plugins');
  const manifests = (await readdir(folder)).map(
    async (id) => JSON.parse(await readFile(join(folder, id, 'plugin.json'), 'utf8')) as Known,
  );
  return { version, plugins: new Map((await Promise.all(manifests)).map((known) => [known.id, known])) };
}
