import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { pluginFiles, textFiles, type ListedPlugin } from './plugin-files.ts';

/** Where the page finds a plugin's web half; built-in and installed plugins have the same shape. */
interface WebModule {
  url: string;
  /** The plugin's export name, if the module contains several plugins. */
  part?: string;
  css: string[];
}

const prefix = 'virtual:plugins/';

/**
 * Makes entries of the plugins' `web/index.tsx`, one entry per joined file, and writes `plugins.json` ({ id: { url, part, css } }).
 * From it the page loads built-in plugins in the same way as installed ones.
 */
export function builtInPlugins(root: string): Plugin {
  const files = new Map<string, readonly WebHalf[]>();
  const references = new Map<string, string>();
  let isBuild = true;

  return {
    name: 'trellis-built-in-plugins',
    configResolved(config) {
      isBuild = config.command === 'build';
    },
    buildStart() {
      if (!isBuild) return;
      const halves = webHalves(root);
      for (const [name, ids] of pluginFiles(halves)) {
        const parts = halves.filter(({ id }) => ids.includes(id));
        files.set(name, parts);
        references.set(name, this.emitFile({ type: 'chunk', id: prefix + name, name }));
      }
    },
    resolveId(id) {
      return id.startsWith(prefix) ? `\0${id}` : undefined;
    },
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined;
      const parts = files.get(id.slice(prefix.length + 1)) ?? [];
      return parts
        .map((half) => `export { default as ${JSON.stringify(half.id)} } from ${JSON.stringify(half.file)};`)
        .join('\n');
    },
    // The development server serves sources and inserts styles itself; the host still reads its two lists from dist/.
    configureServer(server) {
      const folder = server.config.build.outDir;
      const modules = webHalves(root).map(({ id, file }): [string, WebModule] => [
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
        for (const [name, reference] of references) {
          const file = this.getFileName(reference);
          const css = styleSheets(bundle, file);
          for (const { id } of files.get(name) ?? []) modules[id] = { url: `/${file}`, part: id, css };
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

/** The plugins that share a file: plugin id to file name. */
export function filesOfJoined(root: string): ReadonlyMap<string, string> {
  const files = [...pluginFiles(webHalves(root))].filter(([, ids]) => ids.length > 1);
  return new Map(files.flatMap(([name, ids]) => ids.map((id) => [id, name] as const)));
}

/** The name of the file with a plugin's texts, by the plugin's id. */
export function filesOfTexts(root: string): ReadonlyMap<string, string> {
  return textFiles(webHalves(root));
}

interface WebHalf extends ListedPlugin {
  /** The entry module. */
  readonly file: string;
}

function webHalves(root: string): readonly WebHalf[] {
  const folder = join(root, 'plugins');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((id) => existsSync(join(folder, id, 'plugin.json')))
    .map((id) => ({ id, file: join(folder, id, 'web/index.tsx') }))
    .filter(({ file }) => existsSync(file))
    .map(({ id, file }) => {
      const text = readFileSync(join(folder, id, 'plugin.json'), 'utf8');
      return { id, file, manifest: JSON.parse(text) as ListedPlugin['manifest'] };
    });
}

/** The style sheets that an entry needs before its code runs; those of lazy parts are loaded with these parts. */
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
