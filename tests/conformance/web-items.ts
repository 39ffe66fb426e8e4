import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { WebPlugin, WebPluginContext, WebRegistries } from '@trellis/sdk/web';
import { readHalf } from '../../sdk/testing/plugin-folder.ts';

const plugins = resolve(import.meta.dirname, '../../plugins');

/** Stands for everything in a plugin's context: it can be called, and has any property. */
const anything: unknown = new Proxy(() => undefined, {
  get: (_, name) => (name === 'then' ? undefined : anything),
  apply: () => anything,
});

/** The built-in plugins' items of a registry of the page, without a page. */
export async function webItems<Registry extends keyof WebRegistries>(
  registry: Registry,
): Promise<readonly WebRegistries[Registry][]> {
  const items: WebRegistries[Registry][] = [];
  for (const id of readdirSync(plugins)) {
    const manifest = join(plugins, id, 'plugin.json');
    if (!existsSync(manifest) || !readFileSync(manifest, 'utf8').includes(`"${registry}"`)) continue;
    const half = await readHalf<WebPlugin>(join(plugins, id), 'web');
    const register = (to: string, item: WebRegistries[Registry]) => {
      if (to === registry) items.push(item);
    };
    const context = new Proxy({}, { get: (_, name) => (name === 'register' ? register : anything) });
    await half?.setup(context as WebPluginContext);
  }
  return items;
}
