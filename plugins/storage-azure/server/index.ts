import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { defineServerPlugin, OutboundToken, someKeysIn } from '@trellis/sdk/server';
import { azureErrors } from './azure-errors.ts';
import { createAzureFiles } from './azure-files.ts';
import { readPlace, type AzurePlace } from './azure-settings.ts';

/** Stored with every file, so it must never change. */
const adapterId = 'azure';

/** @throws TrellisError `AZURE_INCOMPLETE`. */
function placeOf(values: Readonly<Record<string, unknown>>): AzurePlace {
  const place = readPlace(values);
  if (place === undefined) throw azureErrors.create('AZURE_INCOMPLETE');
  return place;
}

export default defineServerPlugin({
  setup(ctx) {
    const files = createAzureFiles(ctx.get(OutboundToken), () => placeOf(ctx.settings.current));
    ctx.register('storageAdapters', {
      id: adapterId,
      label: 'Azure Blob Storage',
      isConfigured: () => readPlace(ctx.settings.current) !== undefined,
      put: (key, content, _facts, { signal }) => files.put(key, content, signal),
      get: (key, { signal }) => files.get(key, signal),
      getPart: (key, part, { signal }) => files.get(key, signal, part),
      remove: (key, { signal }) => files.remove(key, signal),
    });
  },
  async willSave(ctx, values) {
    const before = readPlace(ctx.settings.current);
    if (before === undefined || before.url.href === readPlace(values)?.url.href) return;
    const keys = await someKeysIn(adapterId, ctx.registry('fileHolders').list());
    if (keys.length === 0) return;
    const files = createAzureFiles(ctx.get(OutboundToken), () => placeOf(values));
    try {
      for (const key of keys) (await files.get(key, ctx.signal)).destroy();
    } catch (error) {
      throw azureErrors.create('AZURE_FILES_ELSEWHERE', { container: before.container }, error);
    }
  },
  async test(ctx, values) {
    const place = placeOf(values);
    const files = createAzureFiles(ctx.get(OutboundToken), () => place);
    const content = randomBytes(16).toString('hex');
    // Beside the files, under an otherwise unused name.
    const key = `test-${content}`;
    await files.put(key, Readable.from([Buffer.from(content)]), ctx.signal);
    try {
      if ((await text(await files.get(key, ctx.signal))) !== content)
        throw azureErrors.create('AZURE_CHANGED');
    } finally {
      await files.remove(key, ctx.signal);
    }
    return { ok: true, message: 'A small file was written to the container, read and deleted.' };
  },
});
