import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** Where the page finds the web half of a plugin; the same shape for built-in and for installed ones. */
interface WebModule {
  url: string;
  css: string[];
}

/**
 * Makes each plugin's `web/index.tsx` an entry of its own and writes `plugins.json` ({ id: { url, css } }), from which
 * the page loads built-in plugins exactly as it loads installed ones.
 */
export function builtInPlugins(root: string): Plugin {
  const references = new Map<string, string>();
  let isBuild = true;

  return {
    name: 'trellis-built-in-plugins',
    configResolved(config) {
      isBuild = config.command === 'build';
    },
    buildStart() {
      if (!isBuild) return;
      for (const [id, file] of webHalves(root)) {
        references.set(id, this.emitFile({ type: 'chunk', id: file, name: `plugin-${id}` }));
      }
    },
    // The development server serves sources and puts styles in by itself; the host still reads its two lists in dist/.
    configureServer(server) {
      const folder = server.config.build.outDir;
      const modules = webHalves(root).map(([id, file]): [string, WebModule] => [
        id,
        { url: `/@fs${file}`, css: [] },
      ]);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'plugins.json'), JSON.stringify(Object.fromEntries(modules)));
      writeFileSync(join(folder, 'csp.json'), JSON.stringify({ scriptHashes: [] }));
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const modules: Record<string, WebModule> = {};
        for (const [id, reference] of references) {
          const file = this.getFileName(reference);
          modules[id] = { url: `/${file}`, css: styleSheets(bundle, file) };
        }
        this.emitFile({
          type: 'asset',
          fileName: 'plugins.json',
          source: `${JSON.stringify(modules, undefined, 2)}\n`,
        });
      },
    },
  };
}

function webHalves(root: string): [id: string, file: string][] {
  const folder = join(root, 'plugins');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((id) => existsSync(join(folder, id, 'plugin.json')))
    .map((id): [string, string] => [id, join(folder, id, 'web/index.tsx')])
    .filter(([, file]) => existsSync(file));
}

/** The style sheets that an entry needs before its code runs; those of lazy parts are loaded with the part. */
function styleSheets(bundle: Rolldown.OutputBundle, entry: string): string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const chunk = bundle[file];
    if (chunk?.type !== 'chunk') return;
    for (const sheet of chunk.viteMetadata?.importedCss ?? []) found.add(`/${sheet}`);
    for (const imported of chunk.imports) visit(imported);
  };
  visit(entry);
  return [...found];
}
