import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { sdkMapFile, type ModuleLocations } from './locate-modules.ts';

/** Runs in Node's loader: mapped names resolve to the host's own copy, all others as usual. */
const resolveHooks = `
let map = {};
export function initialize(data) { map = data; }
export function resolve(name, context, next) {
  return name in map ? { url: map[name], shortCircuit: true } : next(name, context);
}`;

let isShared = false;

/**
 * Gives plugins that are loaded at run time the host's own copy of the SDK, as the import map does in the browser. Once per
 * process: loader hooks cannot be removed, and the map is the same for every host in the process.
 */
export async function shareSdk(locations: ModuleLocations): Promise<void> {
  if (isShared || locations.kind === 'source') return;
  isShared = true;
  const file = sdkMapFile(locations);
  const relative = JSON.parse(await readFile(file, 'utf8')) as Readonly<Record<string, string>>;
  const map = Object.fromEntries(
    Object.entries(relative).map(([name, path]) => [name, new URL(path, pathToFileURL(file)).href]),
  );
  register(`data:text/javascript,${encodeURIComponent(resolveHooks)}`, { data: map });
}
