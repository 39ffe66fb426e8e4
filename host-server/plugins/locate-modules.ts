import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Where this installation's modules are: built in `dist/` or `dist-dev/`, or in tests the sources. */
export interface ModuleLocations {
  readonly kind: 'built' | 'source';
  /** The folder that holds `plugins/` and `dist/`. */
  readonly root: string;
  /** The output folder of the running build, with `server/` and `web/`. */
  readonly output: string;
}

/** Finds out from this module's own URL whether the running code was built; both are two folders deep. */
export function findModuleLocations(ownUrl: string = import.meta.url): ModuleLocations {
  const folder = dirname(fileURLToPath(ownUrl));
  const root = resolve(folder, '../..');
  return ownUrl.endsWith('.ts')
    ? { kind: 'source', root, output: resolve(root, 'dist') }
    : { kind: 'built', root, output: resolve(folder, '..') };
}

/** The URL to `import()` for the server half of a built-in plugin; the file may not exist. */
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

/**
 * URLs of the folders in which each plugin's code is a file or folder named after its id. They are real paths, as the URLs of
 * modules are.
 */
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

/** The real path of a folder, or the path itself if it does not exist yet. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
