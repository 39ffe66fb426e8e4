import { developmentVersion } from '../../shared/index.ts';
import { manifestPath } from '../archive/format.ts';
import { pluginFiles } from '../archive/plugin-files.ts';
import { writeArchive } from '../archive/write-archive.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { say } from './command.ts';
import type { ProductClient } from './product-client.ts';

/** Builds the plugin and sends it to a remote product as a development version, which replaces the former one. */
export async function bringElsewhere(
  folder: string,
  product: ProductClient,
  agrees: boolean,
  build: () => Promise<unknown>,
): Promise<void> {
  const started = performance.now();
  await build();
  const manifest = await readManifest(folder);
  const version = developmentVersion(manifest.version, Date.now());
  const files = new Map(await pluginFiles(folder, manifest));
  files.set(manifestPath, Buffer.from(JSON.stringify({ ...manifest, version })));
  const archive = await writeArchive(files);
  const plugin = await product.load(archive, `${manifest.id}-${version}.tgz`, agrees);
  if (plugin.state !== 'enabled') await product.enable(plugin.id);
  const took = Math.round(performance.now() - started);
  say(`'${manifest.id}' is in service as ${version} after ${took} ms`);
}
