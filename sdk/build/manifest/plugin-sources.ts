import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** A file of a plugin's code. */
export interface PluginSource {
  /** From the plugin's folder. */
  readonly path: string;
  readonly text: string;
}

/** The code of a plugin's halves, without their tests. */
export async function pluginSources(root: string): Promise<readonly PluginSource[]> {
  const files = await Promise.all(
    ['server', 'shared', 'web'].map(async (half) => {
      const names = await readdir(join(root, half), { recursive: true }).catch(() => []);
      return names
        .filter((name) => /\.[jt]sx?$/.test(name) && !/\.test\.[jt]sx?$/.test(name))
        .map((name) => join(root, half, name));
    }),
  );
  return Promise.all(
    files.flat().map(async (file) => ({ path: relative(root, file), text: await readFile(file, 'utf8') })),
  );
}
