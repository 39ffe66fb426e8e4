import { readFileSync, realpathSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `file:///data/plugins/acme/1.0.0/dist/server/index.js?built=1.5:10:7` in a line of a stack. */
const frame =
  /(?:file:\/\/)?(?<file>\/[^\s()]*?|[A-Za-z]:[\\/][^()]*?)(?:\?[^\s():]*)?:(?<line>\d+):(?<column>\d+)\)?$/;

/** The head of the stack of a syntax error: file and line, the line's text, and a mark below the place. */
const head =
  /^(?:file:\/\/)?(?<file>\/[^\s()]*?|[A-Za-z]:[\\/][^()]*?)(?<build>\?[^\s():]*)?:(?<line>\d+)\n.*\n(?<before>[ \t]*)\^+$/m;

/** Source maps by file and build; errors come in bursts, so they are kept. */
const known = new Map<string, SourceMap | undefined>();
const mostKnown = 20;

/** The stacks of calls whose errors are thrown later, without any code of the author on the stack. */
const callers = new WeakMap<object, string>();

/**
 * Calls, and records for an error of the call where the author's code made it.
 *
 * @param caller an error created where the author's code called
 */
export function calledFrom<T>(caller: Error, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof Error && !callers.has(error)) callers.set(error, caller.stack ?? '');
    throw error;
  }
}

/**
 * The place of an error in a plugin's sources, such as `server/index.ts:5:9`, found by the source maps beside the built files.
 * Undefined when neither its stack nor that of its call contains a line of the plugin.
 *
 * @param folder of the plugin, with `dist` in it
 */
export function sourcePlace(error: unknown, folder: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const root = realFolder(folder);
  const stack = `${error.stack ?? ''}\n${callers.get(error) ?? ''}`;
  const places = [headPlaceIn(stack, root), ...stack.split('\n').map((line) => placeIn(line, root))].filter(
    (place) => place !== undefined,
  );
  return places.find((place) => !place.includes('node_modules')) ?? places[0];
}

function placeIn(text: string, root: string): string | undefined {
  const { file, line, column } = frame.exec(text.trim())?.groups ?? {};
  if (file === undefined) return undefined;
  const path = text.includes('file://') ? pathOf(file) : file;
  const build = /\?[^\s():]*/.exec(text)?.[0] ?? '';
  return placeOfBuilt({ path, line: Number(line), column: Number(column), build }, root);
}

function headPlaceIn(stack: string, root: string): string | undefined {
  const { file, line, before = '', build = '' } = head.exec(stack)?.groups ?? {};
  if (file === undefined) return undefined;
  const path = stack.includes(`file://${file}`) ? pathOf(file) : file;
  return placeOfBuilt({ path, line: Number(line), column: before.length + 1, build }, root);
}

/** A place in a built file, counted from 1, with an identifier of the build. */
export interface BuiltPlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly build: string;
}

/** The place in the sources for a place in a plugin's built file; undefined for files of others. */
export function placeOfBuilt({ path, line, column, build }: BuiltPlace, folder: string): string | undefined {
  const root = realFolder(folder);
  if (!path.startsWith(root + sep)) return undefined;
  const own = relative(root, path).replaceAll(sep, '/');
  if (!own.startsWith('dist/')) return `${own}:${line}:${column}`;
  const entry = mapOf(path, build)?.findEntry(line - 1, column - 1);
  if (entry === undefined || !('originalSource' in entry)) return `${own}:${line}:${column}`;
  const source = relative(root, resolve(dirname(path), entry.originalSource)).replaceAll(sep, '/');
  return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

function pathOf(file: string): string {
  try {
    return fileURLToPath(`file://${file}`);
  } catch {
    return file;
  }
}

function mapOf(path: string, build: string): SourceMap | undefined {
  const key = `${path}${build}`;
  if (!known.has(key)) {
    const [oldest] = known.keys();
    if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest);
    known.set(key, readMap(`${path}.map`));
  }
  return known.get(key);
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload);
  } catch {
    // Files that were not built with the kit may have no source map.
    return undefined;
  }
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return join(folder);
  }
}
