import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Also where this is part of a bundle, as benchmarks are. */
const repository = process.cwd();

/** A folder in which plugins outside share the first start of a server, as the files of this run do. */
export function sharedOutside(): NodeJS.ProcessEnv {
  const run = process.env['TRELLIS_TEST_RUN'];
  if (run === undefined) return {};
  const folder = join(run, 'outside');
  mkdirSync(folder, { recursive: true });
  return { TRELLIS_TEST_RUN: folder };
}

/** What a command answered. */
export interface Answer {
  readonly status: number | null;
  readonly output: string;
}

/**
 * Packs the SDK, and the program that begins a plugin, into a folder as `npm run sdk:pack` does, or copies what `npm test` has packed
 * once for all suites into the folder that `TRELLIS_TEST_PACKED_SDK` names. @returns the two tarballs
 */
export function packSdkInto(folder: string): { readonly sdk: string; readonly create: string } {
  const packed = process.env['TRELLIS_TEST_PACKED_SDK'];
  if (packed !== undefined) {
    const copied = (start: string) => {
      const name = readdirSync(packed).find((file) => file.startsWith(start));
      if (name === undefined) throw new Error(`TRELLIS_TEST_PACKED_SDK=${packed} holds no ${start}*.tgz.`);
      copyFileSync(join(packed, name), join(folder, name));
      return join(folder, name);
    };
    return { sdk: copied('trellis-sdk-'), create: copied('create-trellis-plugin-') };
  }
  const command = ['tests/run-typescript.mjs', 'tests/package/pack-sdk.ts', folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: repository,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The SDK could not be packed:\n${stdout}${stderr}`);
  const [sdk = '', create = ''] = stdout.trim().split('\n');
  return { sdk, create };
}

/**
 * A folder outside of the repository, in which nothing of it is to be found but what a tarball brought. The packages that npm would
 * fetch from a registry are links to the installed ones.
 */
export class OutsideFolder {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'trellis-outside-')));

  write(files: Readonly<Record<string, string>>): void {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, file)), { recursive: true });
      writeFileSync(join(this.path, file), text);
    }
  }

  /** Unpacks a tarball to where npm would have put it, with links beside it to every package that is not ours. */
  install(name: string, tarball: string, folder = this.path): void {
    const modules = join(folder, 'node_modules');
    mkdirSync(join(modules, name), { recursive: true });
    const unpacked = spawnSync('tar', ['xzf', tarball, '--strip-components=1', '-C', join(modules, name)]);
    if (unpacked.status !== 0) throw new Error(`${tarball} cannot be unpacked: ${String(unpacked.stderr)}`);
    for (const other of readdirSync(join(repository, 'node_modules'))) {
      const isOurs = other === '@trellis' || other.startsWith('.');
      const link = join(modules, other);
      if (!isOurs && !existsSync(link)) symlinkSync(join(repository, 'node_modules', other), link);
    }
  }

  /** Runs the `trellis-plugin` that is installed in a folder or in the one around it, there. */
  trellisPlugin(args: readonly string[], folder = this.path, env: NodeJS.ProcessEnv = {}): Answer {
    const installed = [folder, this.path].map((place) =>
      join(place, 'node_modules/@trellis/sdk/dist/server/trellis-plugin.mjs'),
    );
    const program = installed.find((file) => existsSync(file)) ?? '';
    return this.node([program, ...args], folder, env);
  }

  node(args: readonly string[], folder = this.path, env: NodeJS.ProcessEnv = {}): Answer {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      // A plugin's test that leaves something open would keep Jest running.
      timeout: 280_000,
      // Whoever started this test has variables that an author has not.
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...sharedOutside(), ...env },
    });
    return { status, output: stdout + stderr };
  }

  dispose(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/**
 * A folder in which an author begins plugins: nothing is there but the program that begins one and the SDK, which all of them find as those
 * of an npm workspace do. The tarball of the SDK is elsewhere.
 */
export class AuthorFolder extends OutsideFolder {
  readonly #tarballs = mkdtempSync(join(tmpdir(), 'trellis-sdk-'));
  /** The tarball of the SDK; of use once `prepare` was called. */
  sdk = '';

  prepare(): void {
    const packed = packSdkInto(this.#tarballs);
    this.sdk = packed.sdk;
    this.install('create-trellis-plugin', packed.create);
    this.install('@trellis/sdk', packed.sdk);
  }

  create(...args: string[]): Answer {
    return this.node([join('node_modules/create-trellis-plugin/dist/create-trellis-plugin.mjs'), ...args]);
  }

  /** Runs the tests of some plugins here at once, as an author of several does. @returns the files that passed; none where one failed */
  test(...ids: string[]): readonly string[] {
    const { status, output } = this.trellisPlugin(['test', ...ids.map((id) => `/${id}/`)]);
    if (status !== 0 || !/Tests: +\d+ passed, \d+ total/.test(output)) throw new Error(output);
    return [...output.matchAll(/^PASS \w+ (\S+)/gm)].map(([, file = '']) => file).toSorted();
  }

  /** The files of tests that some plugins here have. */
  testFiles(...ids: string[]): readonly string[] {
    const files = ids.flatMap((id) => {
      const names = readdirSync(join(this.path, id), { recursive: true, encoding: 'utf8' });
      return names.map((name) => join(id, name));
    });
    return files.filter((file) => /\.test\.[jt]sx?$/.test(file)).toSorted();
  }

  override dispose(): void {
    super.dispose();
    rmSync(this.#tarballs, { recursive: true, force: true });
  }
}
