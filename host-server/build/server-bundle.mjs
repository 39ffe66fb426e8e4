import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

/** The SDK's entries that third-party plugins import by name; they get the host's copy. */
const sdkEntries = { '@trellis/sdk/shared': 'sdk-shared', '@trellis/sdk/server': 'sdk-server' };

/**
 * Packages that stay outside the bundle and are found by Node: native ones, those that look for their own files, and those that
 * most servers never load. knex and ws refer to the others, which are not installed.
 */
const external = [
  'better-sqlite3',
  'koa-body',
  'mysql2',
  'pg',
  'pg-query-stream',
  'pino',
  'bufferutil',
  'mariadb/callback',
  'mssql',
  'mysql',
  'oracledb',
  'pg-native',
  'sqlite3',
  'tedious',
  'utf-8-validate',
];

/**
 * The options for the server's single bundle: the host, its worker threads, the SDK and each plugin's server half share chunks, so
 * that core and the SDK exist once. Packages are bundled too: reading a few files takes half the time of finding a thousand, and
 * needs less memory.
 *
 * Written to `<output>/server`: `main.mjs`, `<name>.worker.mjs`, `sdk-*.mjs`, `sdk-map.json`, `plugins/<id>.mjs`.
 */
export function serverBundle(root, output = join(root, 'dist')) {
  const input = { main: join(root, 'host-server/main.ts') };
  for (const file of workerFiles(join(root, 'host-server'))) input[basename(file, '.ts')] = file;
  for (const [id, name] of Object.entries(sdkEntries)) {
    input[name] = join(root, id.replace('@trellis/', ''), 'index.ts');
  }
  for (const id of pluginIds(root)) {
    const entry = join(root, 'plugins', id, 'server/index.ts');
    if (existsSync(entry)) input[`plugins/${id}`] = entry;
  }
  return {
    input,
    cwd: root,
    platform: 'node',
    tsconfig: join(root, 'tsconfig.json'),
    external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
    checks: { eval: false, bundlerTimings: false },
    plugins: [oneListOfTypes(root), sdkMap(), plainText()],
    output: {
      dir: join(output, 'server'),
      format: 'esm',
      comments: { legal: true, annotation: false, jsdoc: false },
      // Names are kept: stacks in the log need them, and so does the assignment of thrown errors.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      sourcemap: true,
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
    },
  };
}

/**
 * Packages contain three copies of the list of all media types, and each is read and sorted at every start. They share Koa's, which
 * is the newest; they use it in the same way.
 */
function oneListOfTypes(root) {
  const { resolve } = createRequire(createRequire(join(root, 'package.json')).resolve('koa/package.json'));
  return {
    name: 'trellis-one-list-of-types',
    resolveId: { filter: { id: /^mime-types$/ }, handler: resolve },
  };
}

/** The ids of the plugin folders: those with a manifest. */
export function pluginIds(root) {
  const folder = join(root, 'plugins');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((id) => existsSync(join(folder, id, 'plugin.json')));
}

function workerFiles(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.worker.ts') && !file.includes('node_modules'))
    .map((file) => join(folder, file));
}

/** Escapes non-ASCII characters: V8 keeps a file with a single such character at two bytes per character while the server runs. */
function plainText() {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return {
    name: 'trellis-plain-text',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, escaped);
    },
  };
}

/** Node's counterpart of the browser's import map; the host registers it for plugins that are loaded at run time. */
function sdkMap() {
  return {
    name: 'trellis-sdk-map',
    generateBundle() {
      const map = Object.fromEntries(Object.entries(sdkEntries).map(([id, name]) => [id, `./${name}.mjs`]));
      this.emitFile({
        type: 'asset',
        fileName: 'sdk-map.json',
        source: `${JSON.stringify(map, undefined, 2)}\n`,
      });
    },
  };
}
