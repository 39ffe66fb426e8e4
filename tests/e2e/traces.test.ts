import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { describeInBrowser, launchBrowser } from './browser.ts';

describeInBrowser('traces of the browsers of a run', () => {
  test('are there for each context, whether a test closes it or leaves it to its browser', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-traces-'));
    const browser = await launchBrowser({ traces: folder });
    const [closed, left] = [await browser.newContext(), await browser.newContext()];
    for (const context of [closed, left]) await (await context.newPage()).goto('about:blank');
    await closed.close();
    await browser.close();
    expect(await readdir(folder)).toEqual([
      expect.stringMatching(/-1\.zip$/),
      expect.stringMatching(/-2\.zip$/),
    ]);
    await rm(folder, { recursive: true });
  });
});
