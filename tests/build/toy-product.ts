import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const repository = resolve(import.meta.dirname, '../..');

/**
 * A product in its own folder: the real core, SDK, build and start with a host and plugins that a test writes.
 *
 * It contains only what the test writes, so that the test is independent of the current product.
 */
export class ToyProduct {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'trellis-toy-')));

  constructor() {
    for (const shared of ['core', 'sdk', 'node_modules']) {
      symlinkSync(join(repository, shared), join(this.folder, shared));
    }
    for (const copied of [
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'host-web/build',
      'host-server/build',
      'host-server/start',
      'host-server/start.mjs',
      'host-server/plugins/locate-modules.ts',
      'host-web/plugins/plugins-of-pages.ts',
      'host-web/router/route-guard.ts',
    ]) {
      mkdirSync(dirname(join(this.folder, copied)), { recursive: true });
      cpSync(join(repository, copied), join(this.folder, copied), { recursive: true });
    }
    this.write(
      'host-web/index.html',
      '<!doctype html><html><head><script type="module" src="/main.tsx"></script></head><body><div id="root"></div></body></html>',
    );
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), text);
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  json<T>(file: string): T {
    return JSON.parse(this.read(file)) as T;
  }

  /** Runs one of its scripts to the end. */
  node(...args: string[]): SpawnSyncReturns<string> {
    return spawnSync(process.execPath, args, { cwd: this.folder, encoding: 'utf8' });
  }

  /** Runs `npm start` to the end. @param env additional variables; `undefined` removes one. */
  npmStart(
    options: readonly string[],
    env: Readonly<Record<string, string | undefined>>,
  ): SpawnSyncReturns<string> {
    const args = ['start', '--silent', '--', ...options];
    return spawnSync('npm', args, { cwd: this.folder, encoding: 'utf8', env: { ...process.env, ...env } });
  }

  /** Runs this repository's plugin builder on a folder of the product. */
  buildPlugin(folder: string): SpawnSyncReturns<string> {
    return this.node(
      join(repository, 'tests/run-typescript.mjs'),
      join(repository, 'sdk/build/command/trellis-plugin.ts'),
      'build',
      join(this.folder, folder),
    );
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
