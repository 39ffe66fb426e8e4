import { readFile } from 'node:fs/promises';
import { basename, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { JsonPlaces } from '../manifest/json-places.ts';
import { at } from '../manifest/read-manifest.ts';

/** What is read of Jest's results. */
interface JestResults {
  readonly testResults: readonly {
    /** The error that kept a file from running; a summary of its failures otherwise. */
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** A failed test. */
interface Failure {
  /** What the test is about, by which failures that follow from another one are told. */
  readonly group: string;
  readonly title: string;
  readonly message: string;
}

/** A plugin of which promises were tried. */
export interface TriedPlugin {
  readonly id: string;
  readonly folder: string;
  readonly places: JsonPlaces;
}

/** The test without which the others of its group can only fail for the same reason. */
const first = 'runs';

/**
 * Each cause of failed promises once, with its place in the manifest or in the sources.
 *
 * @param file of Jest's results
 * @returns undefined if the results do not tell what failed
 */
export async function brokenPromises(
  file: string,
  plugins: readonly TriedPlugin[],
): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { testResults } = JSON.parse(text) as JestResults;
  const unstarted = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const failures = testResults.flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ ancestorTitles, title, failureMessages }): Failure => ({
        group: ancestorTitles.join(' › '),
        title,
        message: failureMessages.join('\n'),
      })),
  );
  const causes = [
    ...unstarted.map(({ message }): Failure => ({ group: '', title: '', message })),
    ...withoutConsequences(failures),
  ];
  if (causes.length === 0) return undefined;
  const told = new Map<string, string[]>();
  for (const { group, title, message } of causes) {
    const cause = withPlaces(message, group, plugins);
    told.set(cause, [...(told.get(cause) ?? []), group === '' ? title : `${group} › ${title}`]);
  }
  return [...told].map(([cause, tests]) => (isPlaced(cause) ? cause : titled(cause, tests))).join('\n');
}

function withoutConsequences(failures: readonly Failure[]): readonly Failure[] {
  const stopped = new Set(failures.filter(({ title }) => title === first).map(({ group }) => group));
  return failures.filter(({ group, title }) => title === first || !stopped.has(group));
}

/** Whether each line of a cause begins with a place, so that it says enough without the names of tests. */
function isPlaced(cause: string): boolean {
  return cause.split('\n').every((line) => /^\S+:\d+:\d+ /.test(line));
}

function titled(cause: string, tests: readonly string[]): string {
  return [
    ...tests.filter((test) => test !== '').map((test) => `● ${test}`),
    cause.replaceAll(/^/gm, '  '),
  ].join('\n');
}

/** A message without its stack, of which only the nearest place in a plugin's own files is kept. */
function withPlaces(message: string, group: string, plugins: readonly TriedPlugin[]): string {
  const lines = stripVTControlCharacters(message).split('\n');
  const isFrame = (line: string) => /^\s+at .*(?::\d+:\d+\)?$|<anonymous>|\(node:)/.test(line);
  const place = lines
    .filter(isFrame)
    .map((line) => ownPlace(line, plugins))
    .find((of) => of !== undefined);
  const named = pluginOf(group, plugins);
  const text = lines
    .filter((line) => !isFrame(line))
    .join('\n')
    .replace(/^(?:BrokenPromises|Error): /, '')
    .replaceAll(/\n\s*\n+/g, '\n')
    .trim()
    .replaceAll(
      /^(?=(?:server|shared|web)[\\/]\S+:\d+:\d+ )/gm,
      named === undefined ? '' : within(named, plugins),
    )
    .replaceAll(/plugin\.json#(\/\S*)/g, (_, path: string) => placeInManifest(path, named, plugins));
  return place === undefined || isPlaced(text) ? text : `${place} ${text}`;
}

/** The plugin that a group of tests is about. */
function pluginOf(group: string, plugins: readonly TriedPlugin[]): TriedPlugin | undefined {
  return plugins.find(({ id, folder }) => group.endsWith(` ${id}`) || group.endsWith(` ${basename(folder)}`));
}

function placeInManifest(
  path: string,
  named: TriedPlugin | undefined,
  plugins: readonly TriedPlugin[],
): string {
  return named === undefined
    ? `plugin.json#${path}`
    : `${within(named, plugins)}${at(named.places.ofNearest(path))}`;
}

/** The folder in front of a place, where several plugins were tried at once. */
function within({ folder }: TriedPlugin, plugins: readonly TriedPlugin[]): string {
  return plugins.length > 1 ? `${basename(folder)}/` : '';
}

/** The place of a frame that is in a plugin's own files. */
function ownPlace(frame: string, plugins: readonly TriedPlugin[]): string | undefined {
  const [, file = '', line, column] =
    /(?:\(|at (?:async )?)((?:file:|[A-Za-z]:|\/|\w)[^()]*):(\d+):(\d+)\)?$/.exec(frame) ?? [];
  if (file === '' || file.includes('node_modules') || file.includes('.trellis-check-')) return undefined;
  const path = file.startsWith('file:') ? fileURLToPath(file) : file;
  const owner = plugins.find(({ folder }) => path.startsWith(folder + sep));
  if (owner !== undefined)
    return `${within(owner, plugins)}${relative(owner.folder, path)}:${line}:${column}`;
  return /^(?:server|web|shared)[\\/]/.test(path) ? `${path}:${line}:${column}` : undefined;
}
