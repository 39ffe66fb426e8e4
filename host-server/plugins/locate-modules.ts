import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Where this installation's modules are: built into `dist/`, or, in tests, in the sources. */
export interface ModuleLocations {
  readonly kind: 'built' | 'source';
  /** The folder that holds `plugins/` and `dist/`. */
  readonly root: string;
}

/** Finds out from this module's own address whether the running code was built; both stand two folders deep. */
export function findModuleLocations(ownUrl: string = import.meta.url): ModuleLocations {
  return {
    kind: ownUrl.endsWith('.ts') ? 'source' : 'built',
    root: resolve(dirname(fileURLToPath(ownUrl)), '../..'),
  };
}

/** The URL to `import()` for the server half of a built-in plugin; nothing promises that the file exists. */
export function serverModuleUrl(locations: ModuleLocations, pluginId: string): string {
  const path = {
    built: `dist/server/plugins/${pluginId}.mjs`,
    source: `plugins/${pluginId}/server/index.ts`,
  }[locations.kind];
  return pathToFileURL(resolve(locations.root, path)).href;
}

/** The file that maps the SDK's import names to the host's own copy, for plugins that are loaded at run time. */
export function sdkMapFile(locations: ModuleLocations): string {
  return resolve(locations.root, 'dist/server/sdk-map.json');
}

/** The folder of the built web host: `index.html`, `assets/`, `plugins.json` and `csp.json`. */
export function webFolder(locations: ModuleLocations): string {
  return resolve(locations.root, 'dist/web');
}
