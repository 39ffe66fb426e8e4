import { join } from 'node:path';
import { build } from 'rolldown';
import { serverBundle } from '../../host-server/build/server-bundle.mjs';
import { sharedModules } from '../../sdk/build/shared-modules.ts';

/** Packages that an author's own code imports too, so only one copy may exist. */
const shared = new Set(sharedModules.map(({ id }) => id).filter((id) => !id.startsWith('@trellis/')));
const ofTests = /^(@jest|@testing-library)\//;
/** The names of the package's `imports`: the hosts that the test kit resolves at run time. */
const hosts = {
  host: 'host-server/index.ts',
  databases: 'host-server/testing.ts',
  page: 'host-web/testing/index.ts',
};
/** The command's packages; their own programs and native parts are in their folders. */
const ofCommand = /^(vite|rolldown|@vitejs\/plugin-react|tar-stream|typescript)($|\/)/;

/**
 * Bundles the SDK's entries, the command and the product's hosts, which the test kit runs, in one build, so that all of them share
 * one copy of core and of the SDK.
 *
 * @param entries source files by the names of their bundles
 * @returns the bundles' imports from packages
 */
export async function bundleSdk(
  root: string,
  to: string,
  entries: Readonly<Record<string, string>>,
): Promise<ReadonlySet<string>> {
  const product = serverBundle(root, to);
  // Without its start: a test creates the hosts that it needs.
  const server = Object.entries(product.input).filter(([name]) => name !== 'main');
  const ofRoot = Object.entries({ ...hosts, ...entries }).map(([name, file]) => [name, join(root, file)]);
  const { output } = await build({
    ...product,
    input: Object.fromEntries([...server, ...ofRoot]),
    external: (id) =>
      product.external(id) ||
      shared.has(id) ||
      ofTests.test(id) ||
      ofCommand.test(id) ||
      id.startsWith('#host'),
    moduleTypes: { '.css': 'empty', '.svg': 'empty' },
    output: { ...product.output, sourcemap: false },
    logLevel: 'warn',
  });
  return new Set(
    output.flatMap((part) => (part.type === 'chunk' ? [...part.imports, ...part.dynamicImports] : [])),
  );
}

/** Bundles the program that creates a plugin. It has no dependencies: `npm create` downloads it for one call. */
export async function bundleCreate(root: string, to: string): Promise<void> {
  const name = 'create-trellis-plugin';
  await build({
    input: { [name]: join(root, 'sdk/build/create/create-trellis-plugin.ts') },
    cwd: root,
    platform: 'node',
    tsconfig: join(root, 'tsconfig.json'),
    output: { dir: to, format: 'esm', entryFileNames: '[name].mjs' },
    logLevel: 'warn',
  });
}
