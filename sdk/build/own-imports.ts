import { isBuiltin } from 'node:module';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { Plugin } from 'vite';
import { sharedModules } from './shared-modules.ts';

/** What a half may import besides its own files and packages that are installed beside it. */
export interface OwnImportsOptions {
  readonly root: string;
  readonly half: 'server' | 'web';
  /** Whether the host answers this import with its own copy. */
  readonly isShared: (id: string) => boolean;
}

/** Packages of which a page can hold one copy alone: a second one has no part in what the first one knows. */
const onlyOnce = new Set([
  ...sharedModules.map(({ id }) => id).filter((id) => !id.includes('/')),
  // What `react-router-dom` is made of.
  'react-router',
]);

/** Refuses imports that would fail where the plugin runs, with the file and the way out. */
export function ownImports({ root, half, isShared }: OwnImportsOptions): Plugin {
  const isWithin = (file: string) => file.startsWith(root + sep);
  const isOwn = (importer: string | undefined): importer is string =>
    importer !== undefined && isWithin(importer) && !importer.includes(`${sep}node_modules${sep}`);

  /** The way out; undefined for an import that is right as far as its name says. */
  function problemOf(id: string, importer: string): string | undefined {
    if (isBuiltin(id))
      return half === 'web'
        ? 'which browsers do not have; do that in the server half, behind a route of the plugin'
        : undefined;
    if (id.startsWith('.') || isAbsolute(id))
      return isWithin(resolve(dirname(importer), id))
        ? undefined
        : 'which lies outside of the plugin; an installed plugin has its own files alone';
    if (id.startsWith('#')) return 'which only plugins of the product have; import from the SDK';
    if (id.startsWith('@trellis/'))
      return `which is not offered here; import from '@trellis/sdk/${half}', '@trellis/sdk/shared' or another part of the SDK`;
    return undefined;
  }

  return {
    name: 'trellis-own-imports',
    enforce: 'pre',
    async resolveId(id, importer) {
      if (!isOwn(importer) || isShared(id)) return undefined;
      const where = `${relative(root, importer)} imports '${id}'`;
      const problem = problemOf(id, importer);
      if (problem !== undefined) return this.error(`${where}, ${problem}.`);
      if (isBuiltin(id) || id.startsWith('.') || isAbsolute(id)) return undefined;
      const found = await this.resolve(id, importer, { skipSelf: true });
      if (found === null || found.external !== false)
        return this.error(
          `${where}, a package that is not installed; run "npm install ${packageOf(id)}" in the plugin's folder.`,
        );
      return found;
    },
    load(file) {
      const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll(sep, '/')) ?? [];
      if (half !== 'web' || name === undefined || !onlyOnce.has(name)) return undefined;
      return this.error(
        `${relative(root, file)} would be a second copy of '${name}', which the page shares; import it as one of ` +
          `${sharedModules
            .map(({ id }) => id)
            .filter((id) => id.startsWith('react'))
            .join(', ')}.`,
      );
    },
  };
}

function packageOf(id: string): string {
  return id.split('/', id.startsWith('@') ? 2 : 1).join('/');
}
