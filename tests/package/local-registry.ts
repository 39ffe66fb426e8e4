import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { minVersion, rcompare } from 'semver';

const root = process.cwd();

/** npm's data about an installed package. */
interface Installed {
  /** If it differs from the folder's name. */
  readonly name?: string;
  readonly version?: string;
  /** The target of a link. */
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** A version of a package, and its folder. */
interface Offered {
  readonly version: string;
  readonly folder: string;
}

/** A registry for npm with the packages that are installed in the repository: npm installs them elsewhere without a network. */
export class LocalRegistry {
  readonly #packages = readPackages();
  readonly #elsewhere: Readonly<Record<string, string>>;
  readonly #server = createServer(({ url = '/' }, response) =>
    this.#answer(decodeURIComponent(url), response),
  );

  /** @param elsewhere folders from which packages are taken instead, by name */
  constructor(elsewhere: Readonly<Record<string, string>> = {}) {
    this.#elsewhere = elsewhere;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer(path: string, response: ServerResponse): void {
    const [, tarball, version = ''] = /^\/(.+)\/-\/(.+)\.tgz$/.exec(path) ?? [];
    const offered = this.#packages.get(tarball ?? path.slice(1)) ?? [];
    const one = offered.find((of) => of.version === version);
    if (one !== undefined) sendTarball(this.#elsewhere[tarball ?? ''] ?? one.folder, response);
    else if (tarball === undefined && offered.length > 0)
      response.end(JSON.stringify(this.#describe(path.slice(1), offered)));
    // As every registry answers for other platforms' packages, which npm then skips.
    else response.writeHead(404).end('{}');
  }

  #describe(name: string, offered: readonly Offered[]): object {
    const versions = offered.map(({ version, folder }) => {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object;
      return [version, { ...manifest, version, dist: { tarball: `${this.url}${name}/-/${version}.tgz` } }];
    });
    const [latest] = offered.map(({ version }) => version).toSorted(rcompare);
    return { name, 'dist-tags': { latest }, versions: Object.fromEntries(versions) };
  }
}

/** Not compressed, because npm reads it locally. */
function sendTarball(folder: string, response: ServerResponse): void {
  const name = basename(folder);
  // npm unpacks no links, and the compiler's output next to a driver is a copy of the driver.
  const left = ['node_modules', 'build/Release/obj.target'].map((path) => `--exclude=${name}/${path}`);
  const args = ['cf', '-', '-C', dirname(folder), ...left, name];
  spawn('tar', args, { stdio: ['ignore', 'pipe', 'inherit'] }).stdout.pipe(response);
}

/** The installed packages in their versions, by name. */
function readPackages(): ReadonlyMap<string, readonly Offered[]> {
  const lock = readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as { readonly packages: Readonly<Record<string, Installed>> };
  const offered = new Map<string, Offered[]>();
  const add = (name: string, one: Offered) => offered.set(name, [...(offered.get(name) ?? []), one]);
  for (const [path, installed] of Object.entries(packages)) {
    const { version, link, resolved = '' } = installed;
    const name = installed.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (!path.includes('node_modules/') || name.startsWith('@trellis/')) continue;
    if (link !== true) add(name, { version: version ?? '', folder: join(root, path) });
    // A substitute for another package is requested in that package's versions.
    else
      for (const asked of askedVersions(name, packages))
        add(name, { version: asked, folder: join(root, resolved) });
  }
  return offered;
}

function askedVersions(name: string, packages: Readonly<Record<string, Installed>>): ReadonlySet<string> {
  const ranges = Object.values(packages).flatMap(({ dependencies = {} }) => dependencies[name] ?? []);
  return new Set(
    ranges.filter((range) => !range.startsWith('file:')).map((range) => minVersion(range)?.version ?? range),
  );
}
