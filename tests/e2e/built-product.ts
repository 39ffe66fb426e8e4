import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testManifest } from '../../sdk/testing/test-manifest.ts';

/** Correct even if this is part of a bundle, as in benchmarks. */
const root = process.cwd();
const entry = join(root, 'dist/server/main.mjs');

/** A third-party plugin in its shipped form: data and plain modules, written into the folder of installed plugins. */
export interface ShippedPlugin {
  readonly id: string;
  readonly name: string;
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** The source of `dist/server/index.js`. */
  readonly server?: string;
  /** The source of `dist/web/index.js`. */
  readonly web?: string;
}

/** The product as people run it: the built server in its own process, with its own data folder. */
export interface BuiltProduct {
  readonly url: string;
  readonly dataDir: string;
  /** Whether the process still exists. */
  readonly isRunning: () => boolean;
  dispose(): Promise<void>;
}

export async function startBuiltProduct(plugins: readonly ShippedPlugin[]): Promise<BuiltProduct> {
  const dataDir = await shipToNewFolder(plugins);
  const removeData = () => rm(dataDir, { recursive: true, force: true });
  let started: BuiltServer | undefined;
  try {
    const server = startBuiltServer(dataDir);
    started = server;
    const dispose = async () => {
      await server.end('SIGTERM');
      await removeData();
    };
    return { url: await server.listening(), dataDir, isRunning: server.isRunning, dispose };
  } catch (error) {
    await started?.end('SIGTERM');
    await removeData();
    throw error;
  }
}

/** A new data folder with these plugins installed. The caller removes it. */
export async function shipToNewFolder(plugins: readonly ShippedPlugin[]): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'trellis-product-'));
  for (const plugin of plugins) await ship(plugin, dataDir);
  return dataDir;
}

/** The built server's process. */
export interface BuiltServer {
  readonly isRunning: () => boolean;
  /** Resolves to the address when the server reports that it listens. */
  listening(): Promise<string>;
  /** Resolves to the pattern's match in the process's output; rejects if it ends without one. */
  said(pattern: RegExp): Promise<string>;
  /** The process's whole output so far. */
  text(): string;
  /** Sends a signal that does not end the process. */
  signal(name: 'SIGUSR2'): void;
  /** Resolves to the exit code; `null` if the signal itself ended the process. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

/** Allows all plugins in the test product's folder to run, as its operator would. */
function pluginsIn(dataDir: string): string {
  const folder = join(dataDir, 'plugins');
  return existsSync(folder)
    ? readdirSync(folder)
        .map((id) => `${id}:*`)
        .join(',')
    : '';
}

/**
 * @param env further configuration variables.
 * @param limits system limits: `fileBlocks` of 512 bytes for each file, which simulates a full disk
 */
export function startBuiltServer(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  { fileBlocks }: { readonly fileBlocks?: number } = {},
): BuiltServer {
  if (!existsSync(entry)) throw new Error(`There is no ${entry}; run \`npm run build\` first.`);
  const [command = '', ...options] =
    fileBlocks === undefined
      ? [process.execPath, entry]
      : ['sh', '-c', `ulimit -f ${fileBlocks}; exec "$0" "$@"`, process.execPath, entry];
  const child = spawn(command, options, {
    cwd: dataDir,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: '0',
      HOST: '127.0.0.1',
      TRELLIS_DATA_DIR: dataDir,
      TRELLIS_PLUGINS_ENABLED: pluginsIn(dataDir),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  let text = '';
  const hear = (chunk: Buffer) => {
    text += chunk.toString();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const said = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(text);
        if (found !== null) resolve(found[1] ?? found[0]);
      };
      look();
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      child.once('exit', (code) => reject(new Error(`The server ended with ${code} and said:\n${text}`)));
    });
  return {
    isRunning,
    said,
    text: () => text,
    signal: (name) => void child.kill(name),
    listening: async () => `http://127.0.0.1:${await said(/listens on http:\/\/[^:]+:(\d+)/)}`,
    async end(signal) {
      if (isRunning()) {
        const ended = once(child, 'exit');
        child.kill(signal);
        await ended;
      }
      return child.exitCode;
    },
  };
}

async function ship({ id, name, manifest, server, web }: ShippedPlugin, dataDir: string): Promise<void> {
  const folder = join(dataDir, 'plugins', id, '1.0.0');
  const halves = { server, web };
  await mkdir(join(folder, 'dist'), { recursive: true });
  await writeFile(join(folder, 'dist/package.json'), '{ "type": "module" }\n');
  await writeFile(join(folder, 'plugin.json'), JSON.stringify(testManifest(id, name, manifest)));
  for (const [half, source] of Object.entries(halves)) {
    if (source === undefined) continue;
    await mkdir(join(folder, 'dist', half));
    await writeFile(join(folder, 'dist', half, 'index.js'), source);
  }
}
