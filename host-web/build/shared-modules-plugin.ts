import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Plugin, Rolldown } from 'vite';
import { type SharedModule, sharedModules } from '../../sdk/build/shared-modules.ts';

const prefix = 'virtual:shared/';
const require = createRequire(import.meta.url);

/**
 * Gives the page an import map for the shared modules, so that a plugin which was built elsewhere and writes `import { useState }
 * from 'react'` gets the host's React.
 *
 * The map is the page's only inline script. Its hash is written to `csp.json`, so that the server can allow this script and no
 * other.
 */
export function sharedModulesPlugin(): Plugin {
  let isBuild = true;
  let inlineHash: string | undefined;

  return {
    name: 'trellis-shared-modules',
    configResolved(config) {
      isBuild = config.command === 'build';
    },
    buildStart() {
      if (!isBuild) return;
      for (const { id } of sharedModules) {
        this.emitFile({ type: 'chunk', id: prefix + id, name: `shared-${id.replace(/\W+/g, '-')}` });
      }
    },
    resolveId(id) {
      return id.startsWith(prefix) ? `\0${id}` : undefined;
    },
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined;
      const wanted = id.slice(prefix.length + 1);
      const shared = sharedModules.find((module) => module.id === wanted);
      if (shared === undefined)
        throw new Error(`'${wanted}' is not in sdk/build/shared-modules.ts; add it there.`);
      return facade(shared);
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const imports = bundle === undefined ? developmentUrls() : builtUrls(bundle);
        const map = JSON.stringify({ imports });
        inlineHash = createHash('sha256').update(map).digest('base64');
        return [{ tag: 'script', attrs: { type: 'importmap' }, children: map, injectTo: 'head-prepend' }];
      },
    },
    generateBundle: {
      order: 'post',
      handler() {
        if (inlineHash === undefined) throw new Error('The page was built without its import map.');
        const source = `${JSON.stringify({ scriptHashes: [`sha256-${inlineHash}`] })}\n`;
        this.emitFile({ type: 'asset', fileName: 'csp.json', source });
      },
    },
  };
}

function developmentUrls(): Record<string, string> {
  return Object.fromEntries(sharedModules.map(({ id }) => [id, `/@id/__x00__${prefix}${id}`]));
}

function builtUrls(bundle: Rolldown.OutputBundle): Record<string, string> {
  const files = new Map<string | null, string>();
  for (const output of Object.values(bundle)) {
    if (output.type === 'chunk') files.set(output.facadeModuleId, output.fileName);
  }
  return Object.fromEntries(
    sharedModules.map(({ id }) => {
      const file = files.get(`\0${prefix}${id}`);
      if (file === undefined) throw new Error(`The build made no file for shared module '${id}'.`);
      return [id, `/${file}`];
    }),
  );
}

/** A module that re-exports the shared one and can be an entry. */
function facade({ id, format, exports }: SharedModule): string {
  const from = JSON.stringify(id);
  if (exports !== undefined) return `export { ${exports.join(', ')} } from ${from};`;
  if (format === 'esm') return `export * from ${from};`;
  const names = Object.keys(require(id) as object).filter((name) => name !== 'default');
  return `export { default, ${names.join(', ')} } from ${from};`;
}
