import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Container, HookRegistry, Registries } from '@trellis/core';
import type {
  PluginAdministration,
  RouteDefinition,
  ServerHooks,
  ServerPlugin,
  ServerRegistries,
} from '../server/index.ts';
import { TestClient } from './test-client.ts';

/** A plugin of the test's own: its manifest, as `plugin.json` would hold it, and its server half. @public */
export interface TestPlugin {
  readonly manifest: unknown;
  readonly server: ServerPlugin;
  readonly origin?: 'built-in' | 'installed';
}

/** Databases on a server, by their addresses. @public */
export interface TestServerDatabases {
  /** The address of one that nobody else uses. */
  url(): Promise<string>;
  giveBack(url: string): void;
}

/** How a test server differs from a fresh one. @public */
export interface TestServerOptions {
  /** Beside the built-in ones; one with the id of a built-in plugin takes its place. */
  readonly plugins?: readonly TestPlugin[];
  /**
   * Address of a metadata database, or databases of which the server takes one until it is disposed. Default: SQLite in a folder of its
   * own.
   */
  readonly database?: string | TestServerDatabases;
  /** Further variables of the configuration. */
  readonly env?: Readonly<Record<string, string>>;
  readonly argv?: readonly string[];
  /** A data folder that stays; by default there is one for this server, removed in the end. */
  readonly dataDir?: string;
  /**
   * Whether the server is there as soon as it listens, which it does without plugins that are slow to start. Default: it is there once
   * each plugin runs or has failed.
   */
  readonly listensEarly?: boolean;
  /** Told of each line of the log; default nobody. */
  readonly onLog?: (level: string, message: string, details: object | undefined) => void;
}

/** What tests look into. @public */
export interface TestHost {
  readonly container: Container;
  readonly hooks: HookRegistry<ServerHooks>;
  readonly registries: Registries<ServerRegistries>;
  readonly plugins: PluginAdministration;
  readonly routes: { list(): readonly { readonly owner: string; readonly route: RouteDefinition }[] };
  listen(): Promise<number>;
  stop(): Promise<void>;
}

/** A running server of a test. @public */
export interface TestServer {
  readonly url: string;
  readonly host: TestHost;
  readonly dataDir: string;
  /** A client without an account. */
  readonly client: TestClient;
  /** Makes an account and gives its client; the first one is the super admin. */
  signUp(email?: string): Promise<TestClient>;
  dispose(): Promise<void>;
}

interface HostModule {
  createHost(config: unknown, options: object): Promise<TestHost>;
  loadConfig(env: object, argv: readonly string[], cwd: string): { readonly config: unknown };
}

/** Found at run time by the package's `imports`: the SDK itself knows no host. */
const hostModule = '#host-server';

interface DatabasesModule {
  placeDatabase(file: string, manifests: readonly unknown[]): Promise<void>;
}

/** As `hostModule`. */
const databasesModule = '#host-databases';

/** The logger of a test: it gathers what a line's author bound. */
function testLogger(onLog: TestServerOptions['onLog'], bindings: object = {}): object {
  const write = (level: string) => (message: string, details?: object) =>
    onLog?.(level, message, { ...bindings, ...details });
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (more: object) => testLogger(onLog, { ...bindings, ...more }),
  };
}

/** Resolves once no plugin is starting any more. */
async function haveStarted({ plugins, hooks }: TestHost): Promise<void> {
  const isStarting = () => plugins.list().some(({ state }) => state === 'starting');
  if (!isStarting()) return;
  await new Promise<void>((resolve) => {
    const tap = hooks.tap('test', 'plugins.didChange', () => {
      if (isStarting()) return;
      void tap.dispose();
      resolve();
    });
  });
}

/** Whether no server has been in a folder: nothing is there but plugins that somebody put there. */
async function isUnused(dataDir: string): Promise<boolean> {
  // What cannot be read is left to the server, which says so.
  const names = await readdir(dataDir).catch(() => undefined);
  return names !== undefined && names.every((name) => name === 'plugins');
}

/**
 * Starts a real server on a free port, with its data in a folder of its own.
 * @public
 */
export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { createHost, loadConfig } = (await import(hostModule)) as HostModule;
  const { placeDatabase } = (await import(databasesModule)) as DatabasesModule;
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'trellis-server-')));
  const { database } = options;
  const address = typeof database === 'object' ? await database.url() : database;
  const removeData = async () => {
    if (typeof database === 'object') database.giveBack(address ?? '');
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  };
  const env = {
    PORT: '0',
    TRELLIS_DATA_DIR: dataDir,
    ...(address !== undefined && { TRELLIS_DB: address }),
    ...options.env,
  };
  let host: TestHost | undefined;
  try {
    if (!('TRELLIS_DB' in env) && (await isUnused(dataDir))) {
      const manifests = (options.plugins ?? []).map(({ manifest }) => manifest);
      await placeDatabase(join(dataDir, 'trellis.db'), manifests);
    }
    const { config } = loadConfig(env, options.argv ?? [], dataDir);
    host = await createHost(config, {
      plugins: options.plugins,
      logger: testLogger(options.onLog),
      graceMs: 1000,
      // Whole hashes, but cheap ones: tests sign many people up.
      passwordCost: 10,
    });
    const port = await host.listen();
    if (options.listensEarly !== true) await haveStarted(host);
    return server(host, { url: `http://127.0.0.1:${port}`, dataDir, removeData });
  } catch (error) {
    await host?.stop();
    await removeData();
    throw error;
  }
}

function server(
  host: TestHost,
  { url, dataDir, removeData }: { url: string; dataDir: string; removeData: () => Promise<void> },
): TestServer {
  let accounts = 0;
  return {
    url,
    host,
    dataDir,
    client: new TestClient(url),
    async signUp(email = `person${(accounts += 1)}@example.com`) {
      const client = new TestClient(url);
      const { status, body } = await client.post('/api/v1/auth/user/signup', {
        email,
        password: 'Password-1',
      });
      if (status !== 200) throw new Error(`Signing up failed with ${status}: ${JSON.stringify(body)}`);
      return client.with({ token: (body as { readonly token: string }).token });
    },
    async dispose() {
      await host.stop();
      await removeData();
    },
  };
}
