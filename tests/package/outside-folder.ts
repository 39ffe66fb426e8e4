import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Correct even if this is part of a bundle, as in benchmarks. */
const repository = process.cwd();

/** What `check` remarks on the manifest of the template of a language. */
export const localeRemark =
  /: nl has 7 of the product's \d+ texts, which are in node_modules\/@trellis\/sdk\/texts\.json/;

/** A folder in which external plugins share a server's first start, as this run's files do. */
export function sharedOutside(): NodeJS.ProcessEnv {
  const run = process.env['TRELLIS_TEST_RUN'];
  if (run === undefined) return {};
  const folder = join(run, 'outside');
  mkdirSync(folder, { recursive: true });
  return { TRELLIS_TEST_RUN: folder };
}

/** The result of a command. */
export interface Answer {
  readonly status: number | null;
  readonly output: string;
}

/**
 * Packs the SDK, and the program that creates a plugin, into a folder as `npm run sdk:pack` does; or copies what `npm test` has
 * packed once for all suites into the folder of `TRELLIS_TEST_PACKED_SDK`. @returns the two tarballs
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
 * A folder outside the repository, which contains only what tarballs brought. The packages that npm would download are links to the
 * installed ones.
 */
export class OutsideFolder {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'trellis-outside-')));

  write(files: Readonly<Record<string, string>>): void {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, file)), { recursive: true });
      writeFileSync(join(this.path, file), text);
    }
  }

  /** Unpacks a tarball to where npm would put it, with links next to it to every external package. */
  install(name: string, tarball: string, folder = this.path): void {
    this.#unpack(name, tarball, folder);
    const external = readdirSync(join(repository, 'node_modules'));
    this.link(
      external.filter((other) => other !== '@trellis' && !other.startsWith('.')),
      folder,
    );
  }

  /** Unpacks a tarball to where npm would put it, with links next to it to the packages that it names and to no others. */
  installAlone(name: string, tarball: string): void {
    this.#unpack(name, tarball, this.path);
    const manifest = readFileSync(join(this.path, 'node_modules', name, 'package.json'), 'utf8');
    const { dependencies = {} } = JSON.parse(manifest) as { readonly dependencies?: object };
    this.link(Object.keys(dependencies));
  }

  /** Links packages into a folder, as npm would install them. */
  link(names: readonly string[], folder = this.path): void {
    for (const name of names) {
      const link = join(folder, 'node_modules', name);
      if (existsSync(link)) continue;
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(repository, 'node_modules', name), link);
    }
  }

  #unpack(name: string, tarball: string, folder: string): void {
    const to = join(folder, 'node_modules', name);
    mkdirSync(to, { recursive: true });
    const { status, stderr } = spawnSync('tar', ['xzf', tarball, '--strip-components=1', '-C', to]);
    if (status !== 0) throw new Error(`${tarball} cannot be unpacked: ${String(stderr)}`);
  }

  /** Runs the `trellis-plugin` that is installed in a folder or its parent, in that folder. */
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
      // A plugin's test with an open handle would keep Jest running.
      timeout: 280_000,
      // The current environment has variables that an author's does not.
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...sharedOutside(), ...env },
    });
    return { status, output: stdout + stderr };
  }

  dispose(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/**
 * An author's empty folder: it contains only the program that creates plugins, the SDK and what these depend on, which all plugins
 * find as in an npm workspace. The SDK's tarball is elsewhere.
 */
export class AuthorFolder extends OutsideFolder {
  readonly #tarballs = mkdtempSync(join(tmpdir(), 'trellis-sdk-'));
  /** The SDK's tarball; set by `prepare`. */
  sdk = '';

  prepare(): void {
    const packed = packSdkInto(this.#tarballs);
    this.sdk = packed.sdk;
    this.installAlone('create-trellis-plugin', packed.create);
    this.installAlone('@trellis/sdk', packed.sdk);
  }

  create(...args: string[]): Answer {
    return this.node([join('node_modules/create-trellis-plugin/dist/create-trellis-plugin.mjs'), ...args]);
  }

  /** Runs the tests of some plugins at once, as an author of several does. @returns the files that passed; none if one failed */
  test(...ids: string[]): readonly string[] {
    const { status, output } = this.trellisPlugin(['test', ...ids.map((id) => `/${id}/`)]);
    if (status !== 0 || !/Tests: +\d+ passed, \d+ total/.test(output)) throw new Error(output);
    return [...output.matchAll(/^PASS \w+ (\S+)/gm)].map(([, file = '']) => file).toSorted();
  }

  /** The test files of some plugins. */
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
