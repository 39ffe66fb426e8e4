import { askUntil } from '@trellis/sdk/testing/server';

/** Asks again until it is so. The test's own limit ends it: other programs may use both cores. */
export async function expectUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await askUntil(async () => isSo(), Boolean);
}
