import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { findingsOn } from './axe.ts';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import {
  addColumn,
  createProject,
  createTable,
  newPerson,
  openTable,
  signedInClient,
  signUp,
  type Person,
} from './person.ts';

const email = 'ann@example.com';

describeInBrowser('a view that is shared by a link', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ann: Person;
  let stranger: Person;
  let link = '';
  /** Where the API keeps the rows of the table, and the link of its view. */
  const paths = { rows: '', link: '' };

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    ann = await newPerson(browser, product.url);
    stranger = await newPerson(browser, product.url, 390);
    await signUp(ann, product.url, email);
    await createProject(ann, 'Atlas');
    await createTable(ann, 'City');
    await addColumn(ann, 'Secret', 'Single line text');
    const call = await signedInClient(product.url, email);
    const [project] = (await call<{ list: { id: string }[] }>('GET', '/api/v1/db/meta/projects')).list;
    for (const [Title, Secret] of [
      ['Bern', 'bear'],
      ['Rome', 'wolf'],
    ])
      await call('POST', `/api/v1/db/data/noco/${project?.id}/City`, { Title, Secret });
    const meta = '/api/v1/db/meta';
    const [table] = (await call<{ list: { id: string }[] }>('GET', `${meta}/projects/${project?.id}/tables`))
      .list;
    const [view] = (await call<{ list: { id: string }[] }>('GET', `${meta}/tables/${table?.id}/views`)).list;
    paths.rows = `/api/v1/db/data/noco/${project?.id}/City`;
    paths.link = `${meta}/views/${view?.id}/share`;
    const { columns } = await call<{ columns: { id: string; title: string }[] }>(
      'GET',
      `${meta}/tables/${table?.id}`,
    );
    const secret = columns.find(({ title }) => title === 'Secret');
    const shown = await call<{ id: string; fk_column_id: string }[]>(
      'GET',
      `${meta}/views/${view?.id}/columns`,
    );
    const hidden = shown.find(({ fk_column_id }) => fk_column_id === secret?.id);
    await call('PATCH', `${meta}/views/${view?.id}/columns/${hidden?.id}`, { show: false });
    await ann.page.getByRole('columnheader', { name: 'Secret' }).waitFor({ state: 'detached' });
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  test('gets a link in its toolbar, with a password', async () => {
    await ann.page.getByRole('button', { name: 'Share view' }).click();
    const dialog = ann.page.getByRole('dialog', { name: "Share the view 'City'" });
    await dialog.getByRole('switch', { name: 'Anyone with the link can open this view' }).click();
    link = await dialog.getByLabel('Link', { exact: true }).inputValue();
    expect(link).toContain('#/nc/view/');
    const code = dialog.getByRole('button', { name: 'QR code' });
    await code.click();
    await dialog.getByRole('img', { name: 'QR code of the link' }).waitFor();
    await code.click();
    await dialog.getByRole('switch', { name: 'Ask for a password' }).click();
    await dialog.getByLabel('Password', { exact: true }).fill('open sesame');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('The link asks for a password.').waitFor();
    expect(await findingsOn(ann.page)).toEqual([]);
  });

  test('asks strangers for the password, and shows them what the view shows and nothing else', async () => {
    const { page } = stranger;
    await page.goto(link);
    await page.getByRole('heading', { name: 'This view has a password' }).waitFor();
    await page.getByLabel('Password', { exact: true }).fill('guess');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('The password is not right.').waitFor();
    expect(await findingsOn(stranger.page)).toEqual([]);
    await page.getByLabel('Password', { exact: true }).fill('open sesame');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('gridcell', { name: 'Rome' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Secret' }).count()).toBe(0);
    expect(await page.content()).not.toContain('wolf');
    expect(await page.getByRole('button', { name: /Add a row|Add column/ }).count()).toBe(0);
    expect(await findingsOn(stranger.page)).toEqual([]);
  });

  test('is searched and downloaded by strangers as far as it allows', async () => {
    const { page } = stranger;
    await page.getByRole('searchbox', { name: 'Search' }).fill('Ber');
    await page.getByRole('gridcell', { name: 'Rome' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Download' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ]);
    const text = await readFile(await file.path(), 'utf8');
    expect(text).toContain('Bern');
    expect(text).not.toMatch(/Rome|Secret|bear/);
  });

  test('is sorted and grouped by strangers for themselves', async () => {
    const { page } = stranger;
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await page.getByRole('gridcell', { name: 'Rome' }).waitFor();
    await page.getByRole('button', { name: 'Group' }).click();
    const panel = page.getByRole('dialog', { name: 'Group' });
    await panel.getByRole('button', { name: 'Add grouping' }).click();
    await page.locator('[role=row]', { hasText: 'Bern' }).nth(1).waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Remove this grouping' }).click();
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: /^Menu of column/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Sort descending' }).click();
    await page.locator('[role=columnheader][aria-sort=descending]').waitFor();
    await page.locator('[role=row][aria-rowindex="2"]', { hasText: 'Rome' }).waitFor();
  });

  test('asks for another password in place, and goes on where the stranger was', async () => {
    const { page } = stranger;
    const call = await signedInClient(product.url, email);
    await page.getByRole('searchbox', { name: 'Search' }).fill('e');
    await call('PATCH', `${paths.rows}/2`, { Title: 'Venice' });
    await call('PATCH', paths.link, { password: 'close sesame' });
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    const asked = page.getByRole('dialog', { name: 'This view has a new password' });
    await asked.waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await findingsOn(page)).toEqual([]);
    await asked.getByLabel('Password', { exact: true }).fill('close sesame');
    await asked.getByRole('button', { name: 'Open' }).click();
    await asked.waitFor({ state: 'detached' });
    await page.getByRole('gridcell', { name: 'Venice' }).waitFor();
    await page.locator('[role=columnheader][aria-sort=descending]').waitFor();
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('e');
    expect(await page.getByText(/could not be loaded/).count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
  });

  test('shows strangers what members write while they look, and sends nothing again where nobody does', async () => {
    const watching = await newPerson(browser, product.url);
    const { page } = watching;
    await page.clock.install();
    await page.goto(link);
    await page.getByLabel('Password', { exact: true }).fill('close sesame');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('gridcell', { name: 'Venice' }).waitFor();
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/public/shared-view/')) statuses.push(response.status());
    });
    const asked = page.waitForResponse((response) => response.url().includes('/meta'));
    await page.clock.fastForward(60_000);
    await asked;
    const call = await signedInClient(product.url, email);
    await call('PATCH', `${paths.rows}/2`, { Title: 'Verona' });
    // The server believes for a while that nothing changed.
    for (let minutes = 0; minutes < 30 && (await page.getByText('Verona').count()) === 0; minutes += 1) {
      await page.clock.fastForward(60_000);
      await page.waitForTimeout(1000);
    }
    await page.getByRole('gridcell', { name: 'Verona' }).waitFor();
    expect(statuses.slice(0, 2)).toEqual([304, 304]);
    expect(statuses.filter((status) => status !== 304 && status !== 200)).toEqual([]);
    expect(watching.complaints).toEqual([]);
    await watching.context.close();
  });

  test('opens nothing any more once its link is turned off', async () => {
    const dialog = ann.page.getByRole('dialog', { name: "Share the view 'City'" });
    await dialog.getByRole('switch', { name: 'Anyone with the link can open this view' }).click();
    await ann.page.getByRole('button', { name: 'Turn off', exact: true }).click();
    await dialog.getByText('Only the people of this project can open it.').waitFor();
    await stranger.page.reload();
    await stranger.page.getByText('This link opens nothing').waitFor();
    expect(stranger.complaints).toEqual([]);
    await ann.page.keyboard.press('Escape');
    await openTable(ann, 'City');
    expect(ann.complaints).toEqual([]);
  });
});
