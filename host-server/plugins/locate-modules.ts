import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Where this installation's modules are: built into `dist/` or `dist-dev/`, or, in tests, in the sources. */
export interface ModuleLocations {
  readonly kind: 'built' | 'source';
  /** The folder that holds `plugins/` and `dist/`. */
  readonly root: string;
  /** The folder that the running build wrote: `server/` and `web/` stand in it. */
  readonly output: string;
}

/** Finds out from this module's own address whether the running code was built; both stand two folders deep. */
export function findModuleLocations(ownUrl: string = import.meta.url): ModuleLocations {
  const folder = dirname(fileURLToPath(ownUrl));
  const root = resolve(folder, '../..');
  return ownUrl.endsWith('.ts')
    ? { kind: 'source', root, output: resolve(root, 'dist') }
    : { kind: 'built', root, output: resolve(folder, '..') };
}

/** The URL to `import()` for the server half of a built-in plugin; nothing promises that the file exists. */
export function serverModuleUrl(locations: ModuleLocations, pluginId: string): string {
  const file = {
    built: resolve(locations.output, `server/plugins/${pluginId}.mjs`),
    source: resolve(locations.root, `plugins/${pluginId}/server/index.ts`),
  }[locations.kind];
  return pathToFileURL(file).href;
}

/** The file that maps the SDK's import names to the host's own copy, for plugins that are loaded at run time. */
export function sdkMapFile(locations: ModuleLocations): string {
  return resolve(locations.output, 'server/sdk-map.json');
}

/** The folder of the built web host: `index.html`, `assets/`, `plugins.json` and `csp.json`. */
export function webFolder(locations: ModuleLocations): string {
  return resolve(locations.output, 'web');
}

/** URLs of the folders in which each plugin's code has a file or a folder with its id as name; modules have real paths as URLs. */
export function pluginFolderUrls(locations: ModuleLocations, dataDir: string): readonly string[] {
  const builtIn = {
    built: resolve(locations.output, 'server/plugins'),
    source: resolve(locations.root, 'plugins'),
  }[locations.kind];
  return [join(dataDir, 'plugins'), builtIn].flatMap((folder) => {
    const paths = new Set([folder, realPath(folder)]);
    return [...paths].map((path) => `${pathToFileURL(path).href}/`);
  });
}

/** The folder itself where it is not there yet. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
