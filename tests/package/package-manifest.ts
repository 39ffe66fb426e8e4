import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';

/** One entry of the SDK: the name after `@trellis/sdk/`, its source, and its files in the package. */
export interface SdkEntry {
  readonly name: string;
  readonly source: string;
  readonly bundle: string;
  readonly declarations: string;
}

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly engines: { readonly node: string };
  readonly exports?: Readonly<Record<string, string>>;
  readonly sideEffects?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** The packed SDK's `package.json`, whose dependencies npm installs beside it. */
export interface SdkManifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

/** Started as programs, or resolved by Jest by name, so no import names them. */
const programs = ['jest', 'jest-environment-jsdom', 'typescript'];

export function readPackage(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** The entries that the SDK's own `package.json` exports, except plain JavaScript and the builders' entries. */
export function sdkEntries(root: string): readonly SdkEntry[] {
  return Object.entries(readPackage(join(root, 'sdk')).exports ?? {})
    .filter(([name, source]) => !name.includes('*') && /\.tsx?$/.test(source))
    .map(([name, source]) => ({
      name,
      source: join('sdk', source),
      bundle: `sdk-${name.slice(2).replaceAll('/', '-')}`,
      declarations: join('sdk', source).replace(/\.tsx?$/, '.d.ts'),
    }));
}

/**
 * The packed SDK's `package.json`. It has the product's version, because its test kit is the product.
 *
 * @param imported the packages that its code and its declarations import
 */
export function packageManifest(
  root: string,
  imported: { readonly code: Iterable<string>; readonly types: Iterable<string> },
): SdkManifest {
  const product = readPackage(root);
  const entries = sdkEntries(root).map(({ name, bundle, declarations }) => [
    name,
    { types: `./types/${declarations}`, default: `./dist/server/${bundle}.mjs` },
  ]);
  return {
    name: '@trellis/sdk',
    version: product.version,
    description: 'What plugins of Trellis are written, tested, built and packed with.',
    license: product.license,
    type: 'module',
    engines: { node: product.engines.node },
    bin: { 'trellis-plugin': './dist/server/trellis-plugin.mjs' },
    imports: {
      '#host-databases': './dist/server/databases.mjs',
      '#host-server': './dist/server/host.mjs',
      '#host-web': './dist/server/page.mjs',
    },
    exports: {
      ...Object.fromEntries(entries),
      './testing/jest': {
        types: './testing/jest/config.d.mts',
        default: './testing/jest/config.mjs',
      },
      './assets': { types: './types/assets.d.ts' },
      './plugin.schema.json': './plugin.schema.json',
      './texts.json': './texts.json',
      './tsconfig.json': './tsconfig.json',
      './package.json': './package.json',
    },
    dependencies: dependenciesOf(root, imported),
  };
}

/** The `package.json` of the program that creates a plugin, in the version of the SDK that its plugins require. */
export function createManifest(root: string): object {
  const { version, license, engines } = readPackage(root);
  return {
    name: 'create-trellis-plugin',
    version,
    description: 'Begins a plugin of Trellis: npm create trellis-plugin <id> -- --template <template>',
    license,
    type: 'module',
    engines: { node: engines.node },
    bin: { 'create-trellis-plugin': './dist/create-trellis-plugin.mjs' },
  };
}

/** Each named package, and the types of those without their own, in the versions with which the product is built. */
function dependenciesOf(
  root: string,
  imported: { readonly code: Iterable<string>; readonly types: Iterable<string> },
): Readonly<Record<string, string>> {
  const ofTypes = packagesIn(imported.types).map((name) => typesOf(root, name) ?? name);
  return versionsOf(root, [...packagesIn(imported.code), ...ofTypes, ...programs, '@types/node']);
}

/** The packages of what is imported, without files and Node's own modules. */
export function packagesIn(specifiers: Iterable<string>): readonly string[] {
  return [...specifiers]
    .filter((id) => !isBuiltin(id) && !/^[#./]/.test(id) && !id.endsWith('.mjs'))
    .map(packageOf);
}

/** Packages with the versions with which the product is built, by name. */
export function versionsOf(root: string, names: Iterable<string>): Readonly<Record<string, string>> {
  return Object.fromEntries([...new Set(names)].sort().map((name) => [name, versionOf(root, name)]));
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** The package with the types of one that has none of its own. */
export function typesOf(root: string, name: string): string | undefined {
  const types = `@types/${name.replace(/^@/, '').replace('/', '__')}`;
  return existsSync(join(root, 'node_modules', types, 'package.json')) ? types : undefined;
}

function versionOf(root: string, name: string): string {
  const { dependencies, devDependencies } = readPackage(root);
  return (
    dependencies?.[name] ?? devDependencies?.[name] ?? readPackage(join(root, 'node_modules', name)).version
  );
}
