/**
 * Lists exports that nothing imports: `npm run dead-exports`.
 *
 * Alive are: what the SDK exports, what entries of the hosts and of plugins export, what anything imports by name, and
 * types that their own file uses, since they name a part of something exported.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'rolldown/utils';

const root = fileURLToPath(new URL('../..', import.meta.url));
const entries =
  /^(sdk\/(shared|server|web|testing)\/index\.tsx?|sdk\/testing\/(server|web)\.tsx?|sdk\/build\/.+|host-(server|web)\/(main|index)\.tsx?|plugins\/[^/]+\/(shared|server|web)\/index\.tsx?|tests\/.+|stories\/.+|.+\.(worker|config|stories)\.tsx?)$/;

const files = ['core', 'sdk', 'host-server', 'host-web', 'plugins', 'stories', 'tests']
  .filter((folder) => existsSync(root + folder))
  .flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && !file.includes('node_modules'));

/** The file that an import names, or undefined for packages. */
function resolveSpecifier(specifier, from) {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  const plugin = /^#plugins\/([^/]+)\/shared$/.exec(specifier);
  if (plugin !== null) return `plugins/${plugin[1]}/shared/index.ts`;
  const ours = /^@trellis\/(.+)$/.exec(specifier)?.[1];
  if (ours === undefined) return undefined;
  return [`${ours}/index.ts`, `${ours}.ts`, `${ours}.tsx`, ours].find((file) => modules.has(file));
}

const modules = new Map(
  files.map((file) => {
    const text = readFileSync(root + file, 'utf8');
    const { module } = parseSync(file, text, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
    return [file, { text, module, alive: new Set() }];
  }),
);

const nameOf = ({ kind, name }) => (kind === 'Default' ? 'default' : name);
const exportsOf = ({ module }) => module.staticExports.flatMap((statement) => statement.entries);

/** Marks an export as used, through every re-export down to where it is written; '*' marks all of them. */
function markUsed(file, name) {
  const found = modules.get(file);
  if (found === undefined || found.alive.has(name)) return;
  found.alive.add(name);
  for (const entry of exportsOf(found)) {
    const exported = nameOf(entry.exportName);
    if (name !== '*' && exported !== null && exported !== name) continue;
    if (exported !== null) found.alive.add(exported);
    if (entry.moduleRequest === null) continue;
    const target = resolveSpecifier(entry.moduleRequest.value, file);
    if (entry.importName.kind === 'AllButDefault') markUsed(target, name);
    else markUsed(target, entry.importName.kind === 'All' ? '*' : nameOf(entry.importName));
  }
}

for (const [file, { module, text }] of modules) {
  if (entries.test(file) || /\.test\.tsx?$/.test(file)) markUsed(file, '*');
  for (const { moduleRequest, entries: imported } of module.staticImports) {
    const target = resolveSpecifier(moduleRequest.value, file);
    for (const { importName } of imported) {
      markUsed(target, importName.kind === 'NamespaceObject' ? '*' : nameOf(importName));
    }
  }
  for (const [, specifier] of text.matchAll(/\bimport\(\s*['"`]([^'"`]+)['"`]/g)) {
    markUsed(resolveSpecifier(specifier, file), '*');
  }
}

const dead = [...modules].flatMap(([file, found]) =>
  exportsOf(found)
    .filter((entry) => entry.moduleRequest === null)
    .map((entry) => ({ name: nameOf(entry.exportName), isType: entry.isType }))
    .filter(({ name }) => name !== null && !found.alive.has(name))
    .filter(({ name, isType }) => !isType || found.text.match(new RegExp(`\\b${name}\\b`, 'g')).length < 2)
    .map(({ name }) => `${file}: ${name}`),
);
for (const line of dead) console.log(line);
console.log(dead.length === 0 ? 'Every export is used.' : `${dead.length} exports are used by nothing.`);
process.exitCode = dead.length === 0 ? 0 : 1;
