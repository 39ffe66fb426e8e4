import { stripVTControlCharacters } from 'node:util';
import { nearestWord } from '@trellis/core';
import type { Plugin } from 'vite';
import { sdkExports } from './sdk-exports.ts';
import { sharedModules } from './shared-modules.ts';

/** The prefix of the id of a shared module whose importable names are known. */
const offered = '\0shared:';
/** The prefix of the id of a shared module that a CommonJS library requires. */
const required = '\0required:';

const modules = new Map(sharedModules.map((module) => [module.id, module]));

/**
 * Leaves imports of shared modules to the host, which resolves them to its own copies.
 *
 * A name that such a module does not export is refused here, where the author sees it, rather than by the browser. A CommonJS
 * library's `require` becomes an import too, because neither browsers nor the server provide `require` for it.
 */
export function sharedImports(isShared: (id: string) => boolean): Plugin {
  return {
    name: 'trellis-shared-imports',
    enforce: 'pre',
    async resolveId(id, importer, options) {
      if (!isShared(id)) return undefined;
      if (importer?.startsWith('\0') === true) return { id, external: true };
      if ((options as { readonly kind?: string }).kind === 'require-call') return required + id;
      return (await namesOf(id)) === undefined ? { id, external: true } : offered + id;
    },
    async load(id) {
      if (id.startsWith(required)) return requiredCode(id.slice(required.length));
      if (!id.startsWith(offered)) return undefined;
      const shared = id.slice(offered.length);
      return `export { ${((await namesOf(shared)) ?? []).join(', ')} } from ${JSON.stringify(shared)};`;
    },
  };
}

/** The importable names of a shared module; undefined if only the module itself knows them. */
async function namesOf(id: string): Promise<readonly string[] | undefined> {
  return modules.get(id)?.exports ?? (await sdkExports(id));
}

function requiredCode(id: string): string {
  const from = JSON.stringify(id);
  const all = `export * from ${from};`;
  return modules.get(id)?.format === 'commonjs' ? `${all} export { default } from ${from};` : all;
}

/** Rewrites the error about an import that its module does not export as one sentence with the solution. */
export async function explainMissingExport(error: unknown): Promise<unknown> {
  const text = stripVTControlCharacters(error instanceof Error ? error.message : '');
  const [, name, id] = /"([^"]+)" is not exported by "(?:\\0|\0)shared:([^"]+)"/.exec(text) ?? [];
  if (name === undefined || id === undefined) return error;
  const place = /\[ (\S+:\d+:\d+) \]/.exec(text)?.[1] ?? 'A file';
  const entries = ['@trellis/sdk/server', ...modules.keys()];
  const offering = await Promise.all(
    entries.map(async (entry) => ((await sdkExports(entry))?.includes(name) === true ? [entry] : [])),
  );
  const [found] = offering.flat();
  const meant = nearestWord(name, (await namesOf(id)) ?? []);
  const others =
    meant === undefined ? "look for its name in the README of '@trellis/sdk'." : `did you mean '${meant}'?`;
  const wayOut = found === undefined ? others : `import it from '${found}'.`;
  return new Error(`${place} imports '${name}', which '${id}' does not export; ${wayOut}`, { cause: error });
}
