import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { addColumn, createProject, createTable, newPerson, type Person, signIn, signUp } from './person.ts';
import { keepPicture } from './pictures.ts';

/** Drops a file on an element, or pastes it there, as the system would. */
async function give(
  target: Locator,
  kind: 'drop' | 'paste',
  file: {
    readonly name: string;
    readonly type: string;
    readonly color?: string;
    readonly text?: string;
    readonly isNoisy?: boolean;
  },
): Promise<void> {
  await target.evaluate(
    async (element, { kind, file }) => {
      const canvas = new OffscreenCanvas(640, 400);
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('No canvas.');
      context.fillStyle = file.color ?? 'teal';
      context.fillRect(0, 0, 640, 400);
      context.fillStyle = 'white';
      context.fillRect(60, 60, 200, 120);
      if (file.isNoisy) {
        const image = context.getImageData(0, 0, 640, 400);
        for (let at = 0; at < image.data.length; at += 1024)
          crypto.getRandomValues(image.data.subarray(at, at + 1024));
        context.putImageData(image, 0, 0);
      }
      const content = file.text ?? (await canvas.convertToBlob({ type: 'image/png' }));
      const data = new DataTransfer();
      data.items.add(new File([content], file.name, { type: file.type }));
      const { x, y, width, height } = element.getBoundingClientRect();
      const at = { clientX: x + width / 2, clientY: y + height / 2, bubbles: true, cancelable: true };
      if (kind === 'paste') {
        element.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
        return;
      }
      element.dispatchEvent(new DragEvent('dragover', { ...at, dataTransfer: data }));
      element.dispatchEvent(new DragEvent('drop', { ...at, dataTransfer: data }));
    },
    { kind, file },
  );
}

describeInBrowser('files in cells', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ann: Person;
  let page: Page;
  const cell = (row: number, title = 'Photos') =>
    page
      .locator(`[aria-rowindex="${row + 1}"]:not([aria-busy])`)
      .getByRole('gridcell')
      .nth(title === 'Photos' ? 1 : 0);

  beforeAll(async () => {
    product = await startBuiltProduct([]);
    browser = await launchBrowser();
    ann = await newPerson(browser, product.url);
    ({ page } = ann);
    await signUp(ann, product.url, 'ann@example.com');
    await createProject(ann, 'Shop');
    await createTable(ann, 'Products');
    await addColumn(ann, 'Photos', 'Attachment');
    for (let row = 1; row <= 4; row += 1) {
      await page
        .getByRole('button', { name: /add a row/i })
        .first()
        .click();
      // A new row takes the selection when it comes, and with it the editor that a drop opens elsewhere.
      await page
        .locator(`[aria-rowindex="${row + 1}"]:not([aria-busy]) [role=gridcell][aria-selected=true]`)
        .first()
        .waitFor();
    }
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  test('a picture that is dropped on a cell is uploaded, kept and shown', async () => {
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await give(cell(1), 'drop', { name: 'teapot.png', type: 'image/png' });
    const thumbnail = cell(1).locator('img.ca-picture');
    await thumbnail.waitFor();
    await page.getByRole('dialog', { name: 'Photos' }).waitFor({ state: 'detached' });
    await thumbnail.evaluate((image: HTMLImageElement) => image.decode());
    expect(await thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(640);
    // The cell shows the picture before the server has it, and Chromium of tests leaves a page without asking.
    await saved;
    await page.reload();
    await cell(1).locator('img.ca-picture').waitFor();
    await keepPicture(page, 'attachments grid');
  });

  test('a picture that is pasted into a selected cell is added to it, and undo takes it out and back', async () => {
    await cell(1).click({ position: { x: 150, y: 10 } });
    await give(page.locator('.tgrid-input'), 'paste', {
      name: 'image.png',
      type: 'image/png',
      color: 'crimson',
    });
    await cell(1).locator('.ca-thumb').nth(1).waitFor();
    await page.getByRole('dialog', { name: 'Photos' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await cell(1).locator('.ca-thumb').nth(1).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Shift+z');
    await cell(1).locator('.ca-thumb').nth(1).waitFor();
    expect(await cell(1).locator('.ca-thumb').count()).toBe(2);
  });

  test('of two people who add a file to a cell at the same moment both files stay', async () => {
    const other = await newPerson(browser, product.url);
    await signIn(other, product.url, 'ann@example.com');
    await other.page.goto(page.url());
    const cellOf = (of: Page) =>
      of.locator('[aria-rowindex="5"]:not([aria-busy])').getByRole('gridcell').nth(1);
    await cellOf(other.page).waitFor();
    // Both writes are on their way before the first one is heard of.
    const gates: (() => void)[] = [];
    for (const of of [page, other.page])
      await of.route(
        (url) => url.pathname.startsWith('/api/v1/db/'),
        async (route) => {
          if (route.request().method() === 'PATCH')
            await new Promise<void>((resolve) => {
              gates.push(resolve);
              if (gates.length === 2) for (const open of gates) open();
            });
          await route.continue();
        },
      );
    const saved = [page, other.page].map((of) =>
      of.waitForResponse((response) => response.request().method() === 'PATCH'),
    );
    await give(cellOf(page), 'drop', { name: 'hers.png', type: 'image/png' });
    await give(cellOf(other.page), 'drop', { name: 'his.png', type: 'image/png', color: 'navy' });
    for (const response of await Promise.all(saved)) expect(response.status()).toBe(200);
    for (const of of [page, other.page]) {
      await of.unrouteAll();
      await of.reload();
      await cellOf(of).locator('.ca-thumb').nth(1).waitFor();
      expect(await cellOf(of).locator('.ca-thumb').count()).toBe(2);
    }
    await other.context.close();
  });

  test('the editor renames, moves, adds by choice and removes; Escape keeps it all', async () => {
    await cell(1).click({ position: { x: 150, y: 10 } });
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Photos' });
    await panel.getByRole('textbox', { name: 'Name of “image.png”' }).fill('Red.png');
    await page.keyboard.press('Enter');
    await panel.getByRole('button', { name: 'Move “Red.png” by the arrow keys' }).focus();
    await page.keyboard.press('ArrowUp');
    await panel.locator('input[type=file]').setInputFiles([
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Grüße\n'.repeat(20)) },
      { name: 'paper.pdf', mimeType: 'application/pdf', buffer: await aPdf() },
    ]);
    await panel.getByRole('button', { name: 'Remove “paper.pdf”' }).waitFor();
    await keepPicture(page, 'attachments editor');
    await panel.getByRole('button', { name: 'Remove “teapot.png”' }).click();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await cell(1).getByRole('button', { name: 'Show “paper.pdf”' }).waitFor();
    const names = await cell(1)
      .locator('.ca-thumb')
      .evaluateAll((all) => all.map((of) => of.getAttribute('title')));
    expect(names).toEqual(['Red.png', 'notes.txt', 'paper.pdf']);
  });

  test('the preview goes through the files by the arrow keys', async () => {
    await cell(1).getByRole('button', { name: 'Show “Red.png”' }).click();
    await page.getByRole('dialog', { name: 'Red.png' }).locator('img.ca-large').waitFor();
    await keepPicture(page, 'attachments preview-picture');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: 'notes.txt' }).getByText('Grüße').waitFor();
    await page.keyboard.press('ArrowRight');
    const dialog = page.getByRole('dialog', { name: 'paper.pdf' });
    const frame = dialog.locator('iframe');
    await frame.waitFor();
    await keepPicture(page, 'attachments preview-pdf');
    // The viewer of PDF is a page of its own, and takes the keys that are meant for it.
    await dialog.getByRole('button', { name: 'Previous file' }).focus();
    await page.keyboard.press('Escape');
    await frame.waitFor({ state: 'detached' });
    expect(await page.locator('.tgrid-input').evaluate((input) => input === document.activeElement)).toBe(
      true,
    );
    expect(ann.complaints).toEqual([]);
  });

  test('a file that cannot be fetched says why, and the others stay', async () => {
    await cell(2).click({ position: { x: 150, y: 10 } });
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Photos' });
    await panel.getByLabel('From a URL').fill('http://127.0.0.1/secret.png');
    await page.keyboard.press('Enter');
    await panel.getByText(/private or reserved address/).waitFor();
    await keepPicture(page, 'attachments refused');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await cell(2).locator('.ca-thumb').count()).toBe(0);
  });

  test('the row panel takes files too, and a download has the name of the file', async () => {
    await cell(2).hover();
    await page.getByRole('button', { name: 'Open row 2' }).click();
    const group = page.getByRole('group', { name: 'Photos' });
    await group.waitFor();
    await give(group.locator('.ca-panel'), 'drop', { name: 'list.csv', type: 'text/csv', text: 'a,b' });
    await group.getByRole('link', { name: 'Download “list.csv”' }).waitFor();
    await keepPicture(page, 'attachments row-panel');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      group.getByRole('link', { name: 'Download “list.csv”' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('list.csv');
    expect(await readFile(await download.path(), 'utf8')).toBe('a,b');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await cell(2).locator('.ca-thumb').waitFor();
  });

  test('a drawing with a script is shown and runs nothing, here and by its address', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="green"/><script>window.top.hacked = true</script></svg>`;
    await give(cell(3), 'drop', { name: 'evil.svg', type: 'image/svg+xml', text: svg });
    const image = cell(3).locator('img.ca-picture');
    await image.waitFor();
    await image.evaluate((of: HTMLImageElement) => of.decode());
    expect(await page.evaluate(() => Reflect.get(window, 'hacked') as unknown)).toBeUndefined();
    const url = await image.evaluate((of: HTMLImageElement) => of.src);
    const other = await ann.context.newPage();
    const [download] = await Promise.all([
      other.waitForEvent('download'),
      other.goto(url).catch(() => undefined),
    ]);
    expect(download.suggestedFilename()).toBe('evil.svg');
    await other.close();
  });

  test('a picture of many bytes is shown by a small one that the server makes', async () => {
    const small = page.waitForResponse((response) => response.url().endsWith('?preview=small'));
    await give(cell(3), 'drop', { name: 'sea.png', type: 'image/png', isNoisy: true });
    expect((await small).headers()['content-type']).toBe('image/webp');
    const thumbnail = cell(3).locator('img.ca-picture').nth(1);
    await thumbnail.evaluate((image: HTMLImageElement) => image.decode());
    expect(await thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(160);
    await page.getByRole('dialog', { name: 'Photos' }).waitFor({ state: 'detached' });
  });
});

/** The smallest PDF that viewers take. */
async function aPdf(): Promise<Buffer> {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<<>>>>',
    '<</Length 33>>\nstream\n0.2 0.6 0.4 rg 40 40 220 120 re f\nendstream',
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const place of places) text += `${String(place).padStart(10, '0')} 00000 n \n`;
  text += `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`;
  return Buffer.from(text, 'latin1');
}
