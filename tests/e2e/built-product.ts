import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const entry = join(root, 'dist/server/main.mjs');

/** A plugin as a third party ships it: data and plain modules, written into the folder of installed plugins. */
export interface ShippedPlugin {
  readonly id: string;
  readonly name: string;
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** The source of `dist/server/index.js`. */
  readonly server?: string;
  /** The source of `dist/web/index.js`. */
  readonly web?: string;
}

/** The product as people run it: the built server in a process of its own, with a data folder of its own. */
export interface BuiltProduct {
  readonly url: string;
  readonly dataDir: string;
  /** Whether the process is still there. */
  readonly isRunning: () => boolean;
  dispose(): Promise<void>;
}

export async function startBuiltProduct(plugins: readonly ShippedPlugin[]): Promise<BuiltProduct> {
  if (!existsSync(entry)) throw new Error(`There is no ${entry}; run \`npm run build\` first.`);
  const dataDir = await mkdtemp(join(tmpdir(), 'trellis-product-'));
  for (const plugin of plugins) await ship(plugin, dataDir);
  const child = spawn(process.execPath, [entry], {
    cwd: dataDir,
    env: { ...process.env, NODE_ENV: 'production', PORT: '0', HOST: '127.0.0.1', TRELLIS_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const dispose = async () => {
    if (isRunning()) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    return { url: await listening(child), dataDir, isRunning, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function ship({ id, name, manifest, server, web }: ShippedPlugin, dataDir: string): Promise<void> {
  const folder = join(dataDir, 'plugins', id, '1.0.0');
  const halves = { server, web };
  await mkdir(join(folder, 'dist'), { recursive: true });
  await writeFile(join(folder, 'dist/package.json'), '{ "type": "module" }\n');
  await writeFile(
    join(folder, 'plugin.json'),
    JSON.stringify({
      id,
      name,
      version: '1.0.0',
      category: 'app',
      engines: { trellis: '*' },
      sdk: 1,
      enabledByDefault: true,
      ...manifest,
    }),
  );
  for (const [half, source] of Object.entries(halves)) {
    if (source === undefined) continue;
    await mkdir(join(folder, 'dist', half));
    await writeFile(join(folder, 'dist', half, 'index.js'), source);
  }
}

/** Resolves to the address that the server says it listens on. */
function listening(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      const port = /listens on http:\/\/[^:]+:(\d+)/.exec(said)?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} and said:\n${said}`)));
  });
}
