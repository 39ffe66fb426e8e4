import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Keeps what is seen in the folder that `TRELLIS_TEST_SCREENSHOTS` names, and nothing where it names none. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env['TRELLIS_TEST_SCREENSHOTS'];
  if (folder !== undefined)
    await page.screenshot({ path: join(folder, `${name.replaceAll(/\W+/g, '-')}.png`) });
}
