import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { projectFiles } from '../../sdk/build/create/common-files.ts';
import { packagesIn, type SdkManifest, typesOf, versionsOf } from './package-manifest.ts';

/**
 * Writes a plugin of the repository into the package as an example, with a `package.json` that names what it imports, and a
 * `tsconfig.json`: as a plugin whose folder stands alone, to be copied and built.
 *
 * @param source the plugin's folder, within the repository
 */
export function writeExample(root: string, source: string, to: string, sdk: SdkManifest): void {
  const from = join(root, source);
  cpSync(from, to, { recursive: true, filter: (file) => isCopied(file, from) });
  const files = readdirSync(to, { recursive: true, encoding: 'utf8' });
  const imported = files.flatMap((file) => importedBy(join(to, file)));
  const { version } = JSON.parse(readFileSync(join(to, 'plugin.json'), 'utf8')) as {
    readonly version: string;
  };
  const written = projectFiles({
    id: basename(source),
    version,
    sdk: `^${sdk.version}`,
    language: 'typescript',
    packages: versionsOf(root, packagesOf(root, imported, sdk)),
  });
  for (const [file, text] of written) writeFileSync(join(to, file), text);
}

/** Without what was built, and without tests that use other plugins of the product, which only its repository can run. */
function isCopied(file: string, from: string): boolean {
  if (/^\/(?:dist|dist-dev|node_modules)(?:\/|$)/.test(file.slice(from.length))) return false;
  return !/\.test\.tsx?$/.test(file) || !importedBy(file).some((id) => id.startsWith('#'));
}

/** The packages of imports that do not come with the SDK, and those with their types. */
function packagesOf(root: string, imported: readonly string[], sdk: SdkManifest): readonly string[] {
  return packagesIn(imported)
    .flatMap((name) => [name, typesOf(root, name) ?? name])
    .filter((name) => name !== '@trellis/sdk' && sdk.dependencies[name] === undefined);
}

/** What a source file imports, for its types too. */
function importedBy(file: string): readonly string[] {
  if (!/\.tsx?$/.test(file)) return [];
  const text = readFileSync(file, 'utf8');
  const { staticImports, staticExports } = parseSync(file, text).module;
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    // Of code and of types.
    ...[...text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, id = '']) => id),
  ];
}
