import { join } from 'node:path';
import { build } from 'rolldown';
import { serverBundle } from '../../host-server/build/server-bundle.mjs';
import { sharedModules } from '../../sdk/build/shared-modules.ts';

/** Packages that an author's own code imports too, so that there must be one copy of them. */
const shared = new Set(sharedModules.map(({ id }) => id).filter((id) => !id.startsWith('@trellis/')));
const ofTests = /^(@jest|@testing-library)\//;
/** What the package's `imports` name: the hosts that the test kit finds at run time. */
const hosts = {
  host: 'host-server/index.ts',
  databases: 'host-server/testing.ts',
  page: 'host-web/testing/index.ts',
};
/** What the command runs with; their own programs and native parts stand in their folders. */
const ofCommand = /^(vite|rolldown|@vitejs\/plugin-react|tar-stream|typescript)($|\/)/;

/**
 * Bundles the SDK's entries, the command and the product's hosts, whose code the test kit runs: one build, so that all of them share
 * one copy of core and of the SDK.
 *
 * @param entries source files by the names of their bundles
 * @returns what the bundles import from packages
 */
export async function bundleSdk(
  root: string,
  to: string,
  entries: Readonly<Record<string, string>>,
): Promise<ReadonlySet<string>> {
  const product = serverBundle(root, to);
  // Without its start: a test makes the hosts that it needs.
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

/** Bundles the program that begins a plugin. It stands alone: `npm create` fetches it for one call. */
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
