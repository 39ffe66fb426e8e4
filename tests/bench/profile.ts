import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
    readonly columnNumber: number;
  };
}

/** The output of V8's profiler. */
export interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface Share {
  readonly name: string;
  /** Milliseconds. */
  readonly time: number;
}

export interface Spent {
  /** Milliseconds of the main thread, without its idle time. */
  readonly busy: number;
  readonly idle: number;
  readonly areas: readonly Share[];
  readonly functions: readonly Share[];
}

const maps = new Map<string, SourceMap | undefined>();

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) {
    try {
      maps.set(file, new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8'))));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      maps.set(file, undefined);
    }
  }
  return maps.get(file);
}

/** A frame's source file; entries such as `(gc)` stay unchanged. */
function sourceOf({ callFrame: { url, functionName, lineNumber, columnNumber } }: ProfileNode): string {
  if (url === '') return functionName === '' ? '(native)' : functionName;
  if (url.startsWith('node:')) return url;
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  const entry = mapOf(file)?.findEntry(lineNumber, columnNumber);
  const source = entry !== undefined && 'originalSource' in entry ? entry.originalSource : file;
  return source.replace(/^(\.\.\/)+/, '');
}

/** The part of the product, the package or the part of Node that contains a source. */
function areaOf(source: string): string {
  const modules = source.lastIndexOf('node_modules/');
  if (modules !== -1) return source.slice(modules + 'node_modules/'.length).split('/')[0] ?? source;
  if (source.startsWith('node:'))
    return source.replace(/^node:(internal\/)?/, 'node:').split('/')[0] ?? source;
  if (/^[a-z-]+\//.test(source)) return source.split('/').slice(0, 2).join('/');
  return source.startsWith('(') ? source : 'native';
}

function sorted(times: ReadonlyMap<string, number>): readonly Share[] {
  return [...times].map(([name, time]) => ({ name, time })).sort((a, b) => b.time - a.time);
}

/** `dispatch` is the profiler itself, which writes its profile. */
const uncounted: ReadonlySet<string> = new Set(['(idle)', '(root)', 'dispatch']);

/** Sums a profile by part of the product and by function. */
export function spentIn(profile: Profile): Spent {
  const own = new Map<number, number>();
  for (const [index, id] of profile.samples.entries())
    own.set(id, (own.get(id) ?? 0) + (profile.timeDeltas[index] ?? 0) / 1000);
  const areas = new Map<string, number>();
  const functions = new Map<string, number>();
  let busy = 0;
  let idle = 0;
  for (const node of profile.nodes) {
    const time = own.get(node.id) ?? 0;
    const { functionName } = node.callFrame;
    if (functionName === '(idle)') idle += time;
    if (time === 0 || uncounted.has(functionName)) continue;
    busy += time;
    const source = sourceOf(node);
    const area = areaOf(source);
    areas.set(area, (areas.get(area) ?? 0) + time);
    const name = `${functionName || '(anonymous)'} ${source.split('/').slice(-2).join('/')}`;
    functions.set(name, (functions.get(name) ?? 0) + time);
  }
  return { busy, idle, areas: sorted(areas), functions: sorted(functions) };
}
