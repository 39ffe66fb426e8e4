import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { findingsInBothThemes } from './axe.ts';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import {
  createProject,
  newPerson,
  newPersonWithPhone,
  signedInClient,
  signUp,
  type Person,
} from './person.ts';
import { readQrCode } from './read-qr-code.ts';
import { watchRequests } from './requests.ts';

const email = 'ann.secret@example.com';
const meta = '/api/v1/db/meta';
const today = new Date().toISOString().slice(0, 10);

interface Table {
  readonly id: string;
  readonly columns: readonly { readonly id: string; readonly title: string }[];
}

describeInBrowser('strangers with the link of a view', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ann: Person;
  let stranger: Person;
  let call: Awaited<ReturnType<typeof signedInClient>>;
  let projectId = '';
  let table: Table;

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    ann = await newPerson(browser, product.url);
    stranger = await newPerson(browser, product.url);
    await signUp(ann, product.url, email);
    await createProject(ann, 'Atlas');
    call = await signedInClient(product.url, email);
    projectId = /#\/nc\/([^?]+)/.exec(ann.page.url())?.[1] ?? '';
    table = await call<Table>('POST', `${meta}/projects/${projectId}/tables`, {
      title: 'Task',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText', pv: true },
        { title: 'Due', uidt: 'Date' },
        { title: 'Keeper', uidt: 'Collaborator' },
      ],
    });
    for (const row of [
      { Name: 'Paint', Due: today, Keeper: email },
      { Name: 'Sweep', Due: today },
      { Name: 'Build' },
    ])
      await call('POST', `/api/v1/db/data/noco/${projectId}/${table.id}`, row);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  const column = (title: string) => table.columns.find((of) => of.title === title)?.id ?? '';
  /** Makes a view and opens it to strangers. */
  async function share(plural: string, title: string, body: object = {}) {
    const { id } = await call<{ id: string }>('POST', `${meta}/tables/${table.id}/${plural}`, {
      title,
      ...body,
    });
    const { uuid } = await call<{ uuid: string }>('POST', `${meta}/views/${id}/share`, {});
    return { id, uuid };
  }
  const change = (id: string, body: object) => call('PATCH', `${meta}/views/${id}/share`, body);
  const visit = ({ page }: Person, word: string, uuid: string) =>
    page.goto(`${product.url}/#/nc/${word}/${uuid}`);
  const opensNothing = (page: Page) => page.getByText('This link opens nothing').waitFor();
  /** Opens a view as its owner, and the panel of its link. */
  async function openPanel(id: string, title: string) {
    const { page } = ann;
    await page.goto(`${product.url}/#/nc/${projectId}?name=Task&dbalias=${table.id}&type=table&view=${id}`);
    await page.getByRole('button', { name: 'Share view' }).click();
    return page.getByRole('dialog', { name: `Share the view '${title}'` });
  }

  test('read the link out of its QR code, until it is made anew', async () => {
    const { id, uuid } = await share('grids', 'Grid');
    const panel = await openPanel(id, 'Grid');
    await panel.getByRole('button', { name: 'QR code' }).click();
    const code = panel.getByRole('img', { name: 'QR code of the link' });
    const link = panel.getByLabel('Link', { exact: true });
    async function scanned(): Promise<string> {
      await code.waitFor();
      const path = (await code.locator('path').getAttribute('d')) ?? '';
      const size = Number((await code.getAttribute('viewBox'))?.split(' ')[2]) - 8;
      const dark = new Set(
        [...path.matchAll(/M(\d+) (\d+)h/g)].map(([, x, y]) => `${Number(y) - 4} ${Number(x) - 4}`),
      );
      return readQrCode(size, (row, column_) => dark.has(`${row} ${column_}`));
    }
    const first = await scanned();
    expect(first).toBe(await link.inputValue());
    expect(first).toContain(uuid);
    await stranger.page.goto(first);
    await stranger.page.getByRole('gridcell', { name: 'Sweep' }).waitFor();

    await panel.getByRole('button', { name: 'New link' }).click();
    await ann.page
      .getByRole('dialog', { name: 'Make a new link?' })
      .getByRole('button', { name: 'New link' })
      .click();
    await ann.page.waitForFunction(
      (before) => [...document.querySelectorAll('input')].every(({ value }) => value !== before),
      first,
    );
    await stranger.page.reload();
    await opensNothing(stranger.page);
    await stranger.page.goto(await scanned());
    await stranger.page.getByRole('gridcell', { name: 'Sweep' }).waitFor();
    expect([...ann.complaints, ...stranger.complaints]).toEqual([]);
  });

  test('search, copy and download as long as the link allows it', async () => {
    const { id, uuid } = await share('grids', 'Allowed');
    await stranger.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: product.url });
    const { page } = stranger;
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    const copy = async (name: string) => {
      await page.getByRole('gridcell', { name }).click();
      await page.keyboard.press('Control+c');
    };
    await visit(stranger, 'view', uuid);
    await page.getByRole('gridcell', { name: 'Sweep' }).waitFor();
    await copy('Sweep');
    await page.waitForFunction(async () => (await navigator.clipboard.readText()) === 'Sweep');
    await page.getByRole('button', { name: 'Download' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).waitFor();

    await change(id, { meta: { allowCopy: false, allowCSVDownload: false, allowSearch: false } });
    await page.reload();
    await copy('Paint');
    await page.getByText('The link of this view does not allow copying.').waitFor();
    expect(await copied()).toBe('Sweep');
    expect(await page.getByRole('button', { name: /Download|Filter/ }).count()).toBe(0);
    expect(await page.getByRole('searchbox').count()).toBe(0);
    const answers = await page.evaluate(
      (base) =>
        Promise.all(
          ['rows/export/csv', 'rows?where=(Name,eq,Paint)'].map(
            async (path) => (await fetch(`${base}/${path}`)).status,
          ),
        ),
      `/api/v1/db/public/shared-view/${uuid}`,
    );
    expect(answers).toEqual([403, 403]);
    expect(stranger.complaints).toEqual([]);
  });

  test('see the look of the link, and nothing once it has ended', async () => {
    const { id, uuid } = await share('galleries', 'Cards');
    await change(id, { meta: { look: { title: 'What we do', accent: '#b3261e', mode: 'dark' } } });
    const { page } = stranger;
    await visit(stranger, 'gallery', uuid);
    await page.getByRole('heading', { name: 'What we do' }).waitFor();
    await page.getByRole('article', { name: 'Paint' }).waitFor();
    expect(await page.title()).toContain('What we do');
    expect(
      await page.locator('.shared-views-head').evaluate((of) => getComputedStyle(of).borderTopColor),
    ).toBe('rgb(179, 38, 30)');
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const brightest = Math.max(...(/\d+, \d+, \d+/.exec(background)?.[0].split(', ').map(Number) ?? [255]));
    expect(brightest).toBeLessThan(90);
    await change(id, { expires_at: new Date(Date.now() - 1000).toISOString() });
    await page.reload();
    await opensNothing(page);
    expect(stranger.complaints).toEqual([]);
  });

  test('see the cards of a board by people without its stacks, and the name of nobody', async () => {
    const board = await share('kanbans', 'By person', { fk_grp_col_id: column('Keeper') });
    await call('PATCH', `${meta}/views/${board.id}`, { meta: { stackedBy: column('Keeper') } });
    const phone = await newPersonWithPhone(browser, product.url);
    const requests = watchRequests(phone.page);
    const answers: Promise<string>[] = [];
    phone.page.on('response', (response) => {
      // What is without a body, or belongs to a page that is gone, has no text.
      if (response.url().includes('/api/')) answers.push(response.text().catch(() => ''));
    });
    await visit(phone, 'kanban', board.uuid);
    for (const name of ['Paint', 'Sweep', 'Build']) await phone.page.getByRole('article', { name }).waitFor();
    expect(await phone.page.getByRole('region', { name: 'Uncategorised' }).count()).toBe(0);
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await findingsInBothThemes(phone.page)).toEqual({ light: [], dark: [] });
    await requests.settled();
    const heard = (await Promise.all(answers)).join();
    expect(heard).toContain('Paint');
    expect(heard + (await phone.page.content())).not.toMatch(/ann\.secret|Keeper/);
    expect(phone.complaints).toEqual([]);
    await phone.context.close();
  });

  /** The row that is open, which is read and closed. */
  async function readRow({ page }: Person, name: string, fields: readonly string[]): Promise<void> {
    const panel = page.getByRole('dialog', { name, exact: true });
    await panel.waitFor();
    expect(await panel.locator('.rows-label').allTextContents()).toEqual(fields);
    expect(await panel.locator('input, textarea, select').count()).toBe(0);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  }

  test('open rows, and read of them what the view shows', async () => {
    const { page } = stranger;
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/v1/')) asked.push(request.url());
    });
    const cards = await share('galleries', 'To read');
    const board = await share('kanbans', 'To read by person', { fk_grp_col_id: column('Keeper') });
    const card = page.getByRole('article', { name: 'Sweep' });
    for (const [word, { uuid }] of [
      ['gallery', cards],
      ['kanban', board],
    ] as const) {
      await visit(stranger, word, uuid);
      await card.click();
      await readRow(stranger, 'Sweep', ['Name', 'Due']);
      await page.locator('.tr-card:focus').waitFor();
    }
    await visit(stranger, 'gallery', cards.uuid);
    await card.click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('button', { name: 'Next row' }).click();
    await page.getByRole('dialog', { name: 'Build' }).waitFor();
    expect(await findingsInBothThemes(page)).toEqual({ light: [], dark: [] });
    await page.keyboard.press('Escape');
    // A field that they hide for themselves is on no card, and in no row.
    await page.getByRole('button', { name: 'Fields' }).click();
    await page.getByRole('switch', { name: 'Due' }).click();
    await page.keyboard.press('Escape');
    await card.click();
    await readRow(stranger, 'Sweep', ['Name']);
    expect(asked.filter((url) => /\/db\/(?!public\/shared-view\/)/.test(url))).toEqual([]);
    expect(stranger.complaints).toEqual([]);
  });

  test('see a timeline with the rows without a date, open them, and move none', async () => {
    const line = await share('timelines', 'Line', { meta: { fromId: column('Due'), toId: '', zoom: 'day' } });
    const { page } = stranger;
    await visit(stranger, 'view', line.uuid);
    await page.locator('.timeline-bar-body', { hasText: 'Paint' }).click();
    await readRow(stranger, 'Paint', ['Name', 'Due']);
    await page.getByRole('button', { name: /^Without a date/ }).click();
    const undated = page.getByRole('region', { name: 'Without a date' });
    await undated.getByRole('button', { name: 'Build' }).click();
    await readRow(stranger, 'Build', ['Name', 'Due']);
    expect(await undated.getByRole('button', { name: /^Put / }).count()).toBe(0);
    expect(await findingsInBothThemes(page)).toEqual({ light: [], dark: [] });
    expect(stranger.complaints).toEqual([]);
  });

  test('fill in a form of two pages with a file, behind a password', async () => {
    const claims = await call<Table>('POST', `${meta}/projects/${projectId}/tables`, {
      title: 'Claim',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Who', uidt: 'SingleLineText', pv: true },
        { title: 'Photo', uidt: 'Attachment' },
      ],
    });
    const form = await call<{ id: string }>('POST', `${meta}/tables/${claims.id}/forms`, { title: 'Claim' });
    const fields = await call<readonly { id: string; fk_column_id: string }[]>(
      'GET',
      `${meta}/views/${form.id}/columns`,
    );
    const photo = claims.columns.find(({ title }) => title === 'Photo')?.id;
    const field = fields.find(({ fk_column_id: of }) => of === photo);
    await call('PATCH', `${meta}/form-columns/${field?.id}`, {
      meta: { startsPage: true, section: 'Proof' },
    });
    const { uuid } = await call<{ uuid: string }>('POST', `${meta}/views/${form.id}/share`, {});
    await change(form.id, { password: 'open sesame' });
    const phone = await newPersonWithPhone(browser, product.url);
    const { page } = phone;
    await visit(phone, 'form', uuid);
    await page.getByLabel('Password', { exact: true }).fill('open barley');
    await page.getByRole('button', { name: 'Open' }).tap();
    await page.getByText('This is not the password of the form.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('open sesame');
    await page.getByRole('button', { name: 'Open' }).tap();
    await page.getByRole('textbox', { name: 'Who' }).fill('Eve');
    await page.getByText('Page 1 of 2').waitFor();
    await page.getByRole('button', { name: 'Next' }).tap();
    await page.getByText('Proof').waitFor();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'roof.txt', mimeType: 'text/plain', buffer: Buffer.from('hole') });
    await page.getByRole('button', { name: 'Remove “roof.txt”' }).waitFor();
    expect(await findingsInBothThemes(page)).toEqual({ light: [], dark: [] });
    await page.getByRole('button', { name: 'Submit' }).tap();
    await page.getByText('Thank you! Your answer was sent.').waitFor();
    const { list } = await call<{ list: readonly object[] }>(
      'GET',
      `/api/v1/db/data/noco/${projectId}/${claims.id}`,
    );
    expect(list).toMatchObject([{ Who: 'Eve', Photo: expect.stringContaining('roof.txt') }]);
    expect(phone.complaints).toEqual([]);
    await phone.context.close();
  });
});
