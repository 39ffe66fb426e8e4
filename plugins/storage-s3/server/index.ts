import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { defineServerPlugin, OutboundToken, someKeysIn } from '@trellis/sdk/server';
import { s3Errors } from './s3-errors.ts';
import { createS3Files } from './s3-files.ts';
import { isSamePlace, readPlace, type S3Place } from './s3-settings.ts';

/** Stored with every file, so it must never change. */
const adapterId = 's3';

const missing = {
  endpoint: 'S3_ADDRESS_MISSING',
  address: 'S3_ADDRESS',
  region: 'S3_REGION_MISSING',
  bucket: 'S3_BUCKET_MISSING',
  keys: 'S3_KEYS_MISSING',
} as const;

/** @throws TrellisError `S3_..._MISSING`, `S3_ADDRESS`. */
function placeOf(values: Readonly<Record<string, unknown>>): S3Place {
  const read = readPlace(values);
  if (read.kind === 'ready') return read.place;
  throw s3Errors.create(missing[read.missing]);
}

export default defineServerPlugin({
  setup(ctx) {
    const files = createS3Files(ctx.get(OutboundToken), () => placeOf(ctx.settings.current));
    ctx.register('storageAdapters', {
      id: adapterId,
      label: 'S3',
      isConfigured: () => readPlace(ctx.settings.current).kind === 'ready',
      put: (key, content, _facts, { signal }) => files.put(key, content, signal),
      get: (key, { signal }) => files.get(key, signal),
      getPart: (key, part, { signal }) => files.get(key, signal, part),
      remove: (key, { signal }) => files.remove(key, signal),
    });
  },
  async willSave(ctx, values) {
    const before = readPlace(ctx.settings.current);
    const after = readPlace(values);
    if (before.kind !== 'ready' || (after.kind === 'ready' && isSamePlace(before.place, after.place))) return;
    const keys = await someKeysIn(adapterId, ctx.registry('fileHolders').list());
    if (keys.length === 0) return;
    const files = createS3Files(ctx.get(OutboundToken), () => placeOf(values));
    try {
      for (const key of keys) (await files.get(key, ctx.signal)).destroy();
    } catch (error) {
      throw s3Errors.create('S3_FILES_ELSEWHERE', { bucket: before.place.bucket }, error);
    }
  },
  async test(ctx, values) {
    const place = placeOf(values);
    const files = createS3Files(ctx.get(OutboundToken), () => place);
    const content = randomBytes(16).toString('hex');
    // Beside the files, under an otherwise unused name.
    const key = `test-${content}`;
    await files.put(key, Readable.from([Buffer.from(content)]), ctx.signal);
    try {
      if ((await text(await files.get(key, ctx.signal))) !== content) throw s3Errors.create('S3_CHANGED');
    } finally {
      await files.remove(key, ctx.signal);
    }
    return { ok: true, message: 'A small file was written to the bucket, read and deleted.' };
  },
});
