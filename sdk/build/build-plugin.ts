import { existsSync } from 'node:fs';
import { cp, mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join, relative, resolve } from 'node:path';
import type { OutputAsset, OutputChunk } from 'rolldown';
import type { Rolldown } from 'vite';
import type { PluginHalf } from '../shared/index.ts';
import { assertTsconfig } from './manifest/assert-tsconfig.ts';
import { readManifest } from './manifest/read-manifest.ts';
import { ownImports } from './own-imports.ts';
import { explainMissingExport, sharedImports } from './shared-imports.ts';
import { sharedModules } from './shared-modules.ts';

/** The result of a build: the halves that the plugin has. @public */
export interface BuiltPlugin {
  readonly id: string;
  readonly folder: string;
  readonly halves: readonly PluginHalf[];
  /** The files that each half was built from; empty for a kept one. */
  readonly sources: Readonly<Record<PluginHalf, readonly string[]>>;
  /** How the server half can reach other hosts or programs without `Outbound`: Node modules, and `fetch`. */
  readonly waysOut: readonly string[];
}

/** What a half was built from, and what it uses; see `BuiltPlugin`. */
interface BuiltHalf {
  readonly sources: readonly string[];
  readonly waysOut: readonly string[];
}

/** Node modules that open connections or start programs. */
const opening =
  /^(?:node:)?(?:net|tls|https?|http2|dgram|dns(?:\/promises)?|child_process|cluster|worker_threads)$/;
/** A call of the global `fetch`, also by the name of the global object. */
const fetching = /(?<![\w.$#])(?:(?:globalThis|global|self)\s*\.\s*)?fetch\s*\(/;

/** The possible entry files of a half, in search order. */
const entryNames = ['index.ts', 'index.tsx', 'index.js', 'index.jsx'];

const shared = new Set(sharedModules.map(({ id }) => id));

/**
 * Builds a plugin's folder into `dist/`, or into another subfolder, ready for packing and installing.
 *
 * `server/index.ts` becomes `dist/server/index.js` and `web/index.tsx` becomes `dist/web/index.js`, with its styles in
 * `dist/web/index.css`. The SDK, and in the web half React and the other shared modules, stay imports that the host resolves to its
 * own copies; all other packages are bundled, because an installed plugin has no node_modules.
 *
 * A failed build leaves the former `dist/` unchanged: the new one is made next to it and replaces it when complete.
 *
 * @param kept halves that are copied from `dist` unchanged
 * @throws Error if the folder has no `plugin.json` or one that the host would refuse, if its `tsconfig.json` cannot be read, if
 *   it has neither half, or if a half imports something that does not exist where it runs, or has no default export
 * @public
 */
export async function buildPlugin(
  folder: string,
  to = 'dist',
  kept: readonly PluginHalf[] = [],
): Promise<BuiltPlugin> {
  const root = await realpath(resolve(folder)).catch(() => resolve(folder));
  const { id } = await readManifest(root);
  await assertTsconfig(root);
  const entries = { server: entryOf(root, 'server'), web: entryOf(root, 'web') };
  const halves = (['server', 'web'] as const).filter((half) => entries[half] !== undefined);
  const built: Partial<Record<PluginHalf, BuiltHalf>> = {};
  if (halves.length === 0) {
    throw new Error(
      `Plugin '${id}' has nothing to build; write server/index.ts, web/index.tsx or both in ${root}.`,
    );
  }
  const dist = join(root, to);
  // Next to `dist`, so that the source maps' relative paths to the sources stay the same.
  const made = join(dist, '..', `.dist-${process.pid}`);
  try {
    await mkdir(made, { recursive: true });
    await writeFile(join(made, 'package.json'), '{ "type": "module" }\n');
    const build = { server: buildServerHalf, web: buildWebHalf };
    await each(
      halves.map((half) => async () => {
        if (kept.includes(half)) await cp(join(dist, half), join(made, half), { recursive: true });
        else built[half] = await build[half](root, entries[half] ?? '', join(made, half));
      }),
    );
    await takePlace(made, dist);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  return {
    id,
    folder: dist,
    halves,
    sources: { server: built.server?.sources ?? [], web: built.web?.sources ?? [] },
    waysOut: built.server?.waysOut ?? [],
  };
}

/** Replaces a folder by another one, even if another build does so at the same moment. */
async function takePlace(made: string, place: string, tries = 5): Promise<void> {
  await rm(place, { recursive: true, force: true });
  try {
    await rename(made, place);
  } catch (error) {
    const isTaken = ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (!isTaken || tries === 1) throw error;
    await takePlace(made, place, tries - 1);
  }
}

/** Runs one after another, even after a failure. @throws Error with all failures as sentences with their solutions */
async function each(works: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failed: Error[] = [];
  for (const work of works)
    await work().catch(async (error: unknown) => failed.push((await explainMissingExport(error)) as Error));
  if (failed.length > 0)
    throw new Error(failed.map(({ message }) => message).join('\n'), { cause: failed[0] });
}

function entryOf(root: string, half: PluginHalf): string | undefined {
  return entryNames.map((name) => join(root, half, name)).find((file) => existsSync(file));
}

/**
 * The imports that the server resolves to its own copies; of everything else, including React, a server half contains its own copy.
 */
const isSharedWithServer = (id: string): boolean =>
  id === '@trellis/sdk/shared' || id === '@trellis/sdk/server';

/** A busy machine is not the author's concern. */
const quietChecks = { bundlerTimings: false };

async function buildServerHalf(root: string, entry: string, to: string): Promise<BuiltHalf> {
  const { rolldown } = await import('rolldown');
  const own = ownImports({ root, half: 'server', isShared: isSharedWithServer });
  const bundle = await rolldown({
    input: { index: entry },
    cwd: root,
    platform: 'node',
    plugins: [...own.plugins, sharedImports(isSharedWithServer)] as never,
    external: (id) => isBuiltin(id),
    checks: quietChecks,
    logLevel: 'warn',
  });
  try {
    const { output } = await bundle.write({ dir: to, format: 'esm', sourcemap: true });
    own.assertNone();
    checkEntry(output, relative(root, entry), 'defineServerPlugin');
    return { sources: own.files(), waysOut: waysOutOf(output) };
  } finally {
    await bundle.close();
  }
}

/** Checked in the output, because bundled packages count too. */
function waysOutOf(output: readonly (OutputAsset | OutputChunk)[]): readonly string[] {
  const chunks = output.filter((part): part is OutputChunk => part.type === 'chunk');
  const imported = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  const modules = imported.filter((id) => opening.test(id)).map((id) => id.replace(/^(?!node:)/, 'node:'));
  const fetches = chunks.some(({ code }) => fetching.test(code)) ? ['fetch'] : [];
  return [...new Set([...fetches, ...modules])].toSorted();
}

async function buildWebHalf(root: string, entry: string, to: string): Promise<BuiltHalf> {
  // Loaded only by commands that build.
  const [{ build, createLogger }, { default: react }] = await Promise.all([
    import('vite'),
    import('@vitejs/plugin-react'),
  ]);
  const isShared = (id: string): boolean => shared.has(id);
  const own = ownImports({ root, half: 'web', isShared });
  const built = await build({
    configFile: false,
    root,
    mode: 'production',
    logLevel: 'warn',
    // A build error is thrown, so logging it would report it twice.
    customLogger: { ...createLogger('warn'), error: () => undefined },
    plugins: [...own.plugins, sharedImports(isShared), react()],
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: {
      outDir: to,
      target: 'es2022',
      sourcemap: true,
      assetsInlineLimit: 0,
      // What is written into the half begins at the plugin, wherever the command was typed.
      rolldownOptions: { cwd: root, checks: quietChecks },
      lib: { entry, formats: ['es'], fileName: () => 'index.js', cssFileName: 'index' },
    },
  });
  own.assertNone();
  const outputs = [built].flat() as readonly Rolldown.RolldownOutput[];
  for (const { output } of outputs) checkEntry(output, relative(root, entry), 'defineWebPlugin');
  return { sources: own.files(), waysOut: [] };
}

/** @throws Error for a half without the export that the host needs. */
function checkEntry(output: readonly (OutputChunk | OutputAsset)[], file: string, define: string): void {
  const entry = output.find((part) => part.type === 'chunk' && part.isEntry) as OutputChunk | undefined;
  if (entry?.exports.includes('default') === true) return;
  throw new Error(`${file} has no default export; end it with "export default ${define}({ ... })".`);
}
