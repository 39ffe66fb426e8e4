import { askUntil } from '@trellis/sdk/testing/server';

/** Asks again until it is so. */
export async function expectUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await askUntil(async () => isSo(), Boolean);
}
