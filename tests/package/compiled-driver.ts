import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const driver = 'better-sqlite3';

/**
 * Compiles the SQLite driver for another Node, as `npm install` does if there is no prebuilt one. @param folder the target folder
 * @param node the program @returns the package's folder
 */
export function compileDriver(folder: string, node: string): string {
  const compiled = join(folder, 'node_modules', driver);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), `{ "dependencies": { "${driver}": "*" } }`);
  cpSync(resolve('node_modules', driver), compiled, {
    recursive: true,
    filter: (file) => basename(file) !== 'build',
  });
  const bin = dirname(node);
  // Headers that came with it need not be downloaded.
  const headers = existsSync(join(bin, '../include/node')) && { npm_config_nodedir: join(bin, '..') };
  const { status, stdout, stderr } = spawnSync('npm', ['rebuild', driver, '--foreground-scripts'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${bin}:${process.env['PATH']}`, ...headers },
  });
  if (status !== 0) throw new Error(`${driver} could not be compiled for ${node}:\n${stdout}${stderr}`);
  return compiled;
}
