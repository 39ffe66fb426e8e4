import { askUntil } from '@trellis/sdk/testing/server';

/** Repeats the check until it is true. */
export async function expectUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await askUntil(async () => isSo(), Boolean);
}
