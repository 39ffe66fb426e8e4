import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { emitDeclarations } from '../api/declarations.mjs';

/** A declaration file's specifiers, with the quotes around them. */
const specifiers = /(?<=\b(?:from|import)\s*\(?\s*)'([^']+)'/g;

/**
 * Writes the declarations that the entries need into `types/`, and returns the packages that they name. Core's are included,
 * because core is not installed separately.
 *
 * @param entries the declaration files of the entries, relative to `types/`
 */
export function writeDeclarations(root: string, to: string, entries: readonly string[]): ReadonlySet<string> {
  const packages = new Set<string>();
  const emitted = emitDeclarations(root);
  try {
    const waiting = [...entries];
    const written = new Set(waiting);
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      const from = file;
      const text = readFileSync(join(emitted, 'types', from), 'utf8').replaceAll(
        specifiers,
        (_all, specifier: string) => {
          const target = declarationOf(specifier, from);
          if (target === undefined) {
            packages.add(specifier);
            return `'${specifier}'`;
          }
          if (!written.has(target) && existsSync(join(emitted, 'types', target))) {
            written.add(target);
            waiting.push(target);
          }
          const relative = posix.relative(posix.dirname(from), target).replace(/\.d\.ts$/, '.js');
          return `'${relative.startsWith('.') ? relative : `./${relative}`}'`;
        },
      );
      mkdirSync(dirname(join(to, from)), { recursive: true });
      writeFileSync(join(to, from), text);
    }
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
  // The types of style and picture imports.
  cpSync(join(root, 'host-web/build/assets.d.ts'), join(to, 'assets.d.ts'));
  return packages;
}

/** The emitted file of a specifier, or undefined for external packages. */
function declarationOf(specifier: string, from: string): string | undefined {
  if (specifier === '@trellis/core') return 'core/index.d.ts';
  if (!specifier.startsWith('.')) return undefined;
  return posix.join(posix.dirname(from), specifier).replace(/\.tsx?$/, '.d.ts');
}
