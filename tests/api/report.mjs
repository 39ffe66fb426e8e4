/**
 * Writes what each entry of the SDK exports to `sdk/api/<entry>.txt`, from the compiler's declarations: `npm run api-report`; with
 * `--check` it only lists outdated files. A change of the public surface thus changes a committed file, which a reviewer sees.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'rolldown/utils';
import { emitDeclarations } from './declarations.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const reports = join(root, 'sdk/api');
const isCheck = process.argv.includes('--check');

/** Files with declarations: their texts and statements. */
class Declarations {
  constructor(folder) {
    this.folder = join(folder, 'types');
    this.files = new Map();
  }

  read(file) {
    let known = this.files.get(file);
    if (known === undefined) {
      // Those of plain JavaScript are written by hand.
      const folder = file.endsWith('.d.mts') ? root : this.folder;
      const text = readFileSync(join(folder, file), 'utf8');
      known = { text, body: parseSync(file, text, { lang: 'dts' }).program.body };
      this.files.set(file, known);
    }
    return known;
  }

  /** The emitted file of a specifier, or undefined for external packages. */
  resolve(specifier, from) {
    if (specifier === '@trellis/core') return 'core/index.d.ts';
    if (specifier.startsWith('@trellis/sdk/')) return entries()[specifier.slice('@trellis/sdk/'.length)];
    if (!specifier.startsWith('.')) return undefined;
    return posix.join(posix.dirname(from), specifier).replace(/\.tsx?$/, '.d.ts');
  }

  /** A file's exports: name to `{text, stability}`; for a name of another package, its origin. */
  exportsOf(file) {
    const { text, body } = this.read(file);
    const found = new Map();
    const add = (name, item) => {
      const earlier = found.get(name);
      if (earlier === undefined) found.set(name, item);
      else if (earlier.text !== item.text)
        found.set(name, { ...earlier, text: `${earlier.text}\n${item.text}` });
    };
    const own = new Map();
    let end = 0;
    for (const node of body) {
      const comment = text.slice(end, node.start);
      end = node.end;
      const declaration = node.type === 'ExportNamedDeclaration' ? (node.declaration ?? node) : node;
      for (const name of namesOf(declaration)) {
        const item = {
          text: plain(text.slice(node.start, node.end)),
          stability: stabilityIn(comment),
        };
        own.set(
          name,
          own.has(name) ? { ...own.get(name), text: `${own.get(name).text}\n${item.text}` } : item,
        );
        if (node.type === 'ExportNamedDeclaration') add(name, item);
      }
      if (node.type === 'ExportAllDeclaration') {
        const target = this.resolve(node.source.value, file);
        if (target === undefined) throw new Error(`${file} exports all of ${node.source.value}`);
        for (const [name, item] of this.exportsOf(target)) add(name, item);
      }
      if (node.type === 'ExportNamedDeclaration' && node.declaration === null) {
        const target = node.source === null ? undefined : this.resolve(node.source.value, file);
        for (const { local, exported } of node.specifiers) {
          const from = node.source === null ? own : target && this.exportsOf(target);
          const item = from?.get(local.name);
          add(
            exported.name,
            item ?? { text: `from ${node.source?.value ?? 'an import'}`, stability: 'public' },
          );
        }
      }
    }
    return found;
  }
}

function namesOf(node) {
  if (node.type === 'VariableDeclaration') return node.declarations.map(({ id }) => id.name);
  return node.id?.name === undefined ? [] : [node.id.name];
}

/** The stability tag in a comment that also has a description. */
const stabilityIn = (comment) =>
  /\w[^@]*@(public|beta|internal|deprecated)\b/.exec(comment)?.[1] ?? 'unmarked';

/** A declaration without comments, because improved comments do not change the surface. */
function plain(text) {
  return text
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{2,}/g, '\n')
    .replace(/^export (?:declare )?/, '');
}

/** The SDK's entries by name, with the files of their declarations. */
function entries() {
  const { exports } = JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8'));
  return Object.fromEntries(
    Object.entries(exports)
      .filter(([name]) => !name.includes('*'))
      .map(([name, file]) => [
        name.slice(2),
        posix.join('sdk', file).replace(/\.(?:tsx?|mjs)$/, (end) => (end === '.mjs' ? '.d.mts' : '.d.ts')),
      ]),
  );
}

function reportOf(declarations, entry, file) {
  const items = [...declarations.exportsOf(file)].sort(([left], [right]) => (left < right ? -1 : 1));
  const lines = items.map(([name, { text, stability }]) => `# ${name} (${stability})\n${text.trim()}\n`);
  return `@trellis/sdk/${entry}\n\n${lines.join('\n')}`;
}

const folder = emitDeclarations(root);
try {
  const declarations = new Declarations(folder);
  const wanted = new Map(
    Object.entries(entries()).map(([entry, file]) => [
      `${entry.replaceAll('/', '-')}.txt`,
      reportOf(declarations, entry, file),
    ]),
  );
  mkdirSync(reports, { recursive: true });
  const stale = [
    ...readdirSync(reports).filter((name) => !wanted.has(name)),
    ...[...wanted].flatMap(([name, text]) => {
      const path = join(reports, name);
      return existsSync(path) && readFileSync(path, 'utf8') === text ? [] : [name];
    }),
  ];
  for (const name of isCheck ? [] : stale) {
    const path = join(reports, name);
    if (wanted.has(name)) writeFileSync(path, wanted.get(name));
    else rmSync(path);
  }
  for (const name of stale) console.log(`${relative(root, dirname(join(reports, name)))}/${name}`);
  const unmarked = [...wanted].flatMap(([name, text]) =>
    [...text.matchAll(/^# (\S+) \(unmarked\)/gm)].map(
      ([, export_]) => `${name}: ${export_} does not say what it is and how stable`,
    ),
  );
  for (const line of unmarked) console.log(line);
  if (unmarked.length > 0 || (isCheck && stale.length > 0)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
