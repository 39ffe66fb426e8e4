import { afterAll, beforeAll, expect, test } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { createProject, newPerson, signedInClient, signIn, signUp, type Person } from './person.ts';

interface Entity {
  readonly id: string;
}

const email = 'ada@example.com';
const meta = '/api/v1/db/meta';

describeInBrowser('forms', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;
  let call: <T>(method: string, path: string, body?: unknown) => Promise<T>;
  let projectId = '';
  let tableId = '';

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    ada = await newPerson(browser, product.url);
    await signUp(ada, product.url, email);
    call = await signedInClient(product.url, email);
    await createProject(ada, 'Cafe');
    projectId = /#\/nc\/([^?]+)/.exec(ada.page.url())?.[1] ?? '';
    const table = await call<Entity>('POST', `${meta}/projects/${projectId}/tables`, {
      title: 'Bookings',
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', uidt: 'SingleLineText' },
        { title: 'Cake', uidt: 'Checkbox' },
        { title: 'Which', uidt: 'SingleLineText' },
        { title: 'Secret', uidt: 'SingleLineText' },
        { title: 'People', uidt: 'Number' },
      ],
    });
    tableId = table.id;
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  async function mistakesIn(page: Page): Promise<readonly unknown[]> {
    await page.evaluate(axe.source);
    return page.evaluate(async () => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run('main, .form-frame');
      return violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) }));
    });
  }

  test('somebody makes a form by mouse, and a stranger fills it in on a phone', async () => {
    const { page } = ada;
    const base = `${product.url}/#/nc/${projectId}?name=Bookings&dbalias=${tableId}&type=table`;
    await page.goto(base);
    await page.getByRole('toolbar', { name: 'View' }).getByRole('button').first().click();
    await page.getByRole('button', { name: /New view: Form/ }).click();
    await page.getByRole('button', { name: 'Create view' }).click();
    const list = page.getByRole('list', { name: 'Fields of the form' });
    await list.getByRole('button', { name: 'Secret', exact: true }).waitFor();

    // Out of the form by mouse: over the line.
    const grip = await list.getByRole('button', { name: /^Move Secret/ }).boundingBox();
    const line = await list.getByText('Not in the form').boundingBox();
    await page.mouse.move((grip?.x ?? 0) + 8, (grip?.y ?? 0) + 8);
    await page.mouse.down();
    await page.mouse.move((grip?.x ?? 0) + 8, (grip?.y ?? 0) + 30, { steps: 3 });
    await page.mouse.move((grip?.x ?? 0) + 8, (line?.y ?? 0) + 10, { steps: 6 });
    await page.mouse.up();
    await list.getByRole('button', { name: 'Add Secret to the form' }).waitFor();
    // Up by the keyboard: over "Which".
    await list.getByRole('button', { name: /^Move People/ }).press('ArrowUp');
    await list.locator('li').nth(2).getByRole('button', { name: 'People', exact: true }).waitFor();

    await list.getByRole('button', { name: 'Name', exact: true }).click();
    await page.getByLabel('Label').fill('Your name');
    await page.getByText('Required', { exact: true }).click();
    const form = page.locator('form');
    await form.getByText('Your name').waitFor();
    await page.getByRole('button', { name: 'All fields' }).click();
    await list.getByRole('button', { name: 'Which', exact: true }).click();
    await page.getByRole('button', { name: 'Add filter' }).click();
    const condition = page.locator('.form-settings .tr-filter-line');
    await condition.getByRole('combobox', { name: 'Column' }).selectOption({ label: 'Cake' });
    await condition.getByRole('combobox').last().selectOption({ label: 'checked' });
    await page.getByRole('button', { name: 'Save the condition' }).click();
    await form.getByText('Which', { exact: true }).waitFor({ state: 'detached' });
    expect(await mistakesIn(page)).toEqual([]);

    const views = await call<{ list: readonly (Entity & { view_type: string })[] }>(
      'GET',
      `${meta}/tables/${tableId}/views`,
    );
    const view = views.list.find(({ view_type: type }) => type === 'form');
    const { uuid } = await call<{ uuid: string }>('POST', `${meta}/views/${view?.id}/share`, {});

    const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const stranger = await phone.newPage();
    await stranger.goto(`${product.url}/#/nc/form/${uuid}?prefill_People=4`);
    await stranger.getByRole('button', { name: 'Submit' }).tap();
    await stranger.getByText('Please answer this.').waitFor();
    await stranger.getByRole('textbox', { name: 'Your name' }).fill('Eve');
    expect(await stranger.getByText('Which', { exact: true }).count()).toBe(0);
    await stranger.getByRole('checkbox').tap();
    await stranger.getByRole('textbox', { name: 'Which' }).fill('Plum');
    await stranger.getByRole('textbox', { name: 'Which' }).blur();
    // A draft survives a reload.
    await stranger.reload();
    expect(await stranger.getByRole('textbox', { name: 'Which' }).inputValue()).toBe('Plum');
    expect(await stranger.getByText('Secret').count()).toBe(0);
    expect(await mistakesIn(stranger)).toEqual([]);
    await stranger.getByRole('button', { name: 'Submit' }).tap();
    await stranger.getByText('Thank you! Your answer was sent.').waitFor();
    const rows = await call<{ list: readonly object[] }>(
      'GET',
      `/api/v1/db/data/noco/${projectId}/${tableId}`,
    );
    expect(rows.list).toMatchObject([{ Name: 'Eve', Cake: 1, Which: 'Plum', People: 4, Secret: null }]);
    expect(ada.complaints).toEqual([]);
  });

  test('the fields of a form are put in order by a finger', async () => {
    const table = await call<Entity>('POST', `${meta}/projects/${projectId}/tables`, {
      title: 'Wines',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText', pv: true },
        { title: 'Year', uidt: 'Number' },
        { title: 'Grape', uidt: 'SingleLineText' },
      ],
    });
    const view = await call<Entity>('POST', `${meta}/tables/${table.id}/forms`, { title: 'Taste' });
    const context = await browser.newContext({ viewport: { width: 820, height: 1180 }, hasTouch: true });
    const page = await context.newPage();
    await signIn({ ...ada, page, context }, product.url, email);
    await page.goto(
      `${product.url}/#/nc/${projectId}?name=Wines&dbalias=${table.id}&type=table&view=${view.id}`,
    );
    await page.getByRole('button', { name: 'Edit the form' }).tap();
    const list = page.getByRole('list', { name: 'Fields of the form' });
    const grip = (name: string) => list.getByRole('button', { name: new RegExp(`^Move ${name}`) });
    const [start, end] = [await grip('Grape').boundingBox(), await grip('Name').boundingBox()];
    if (start === null || end === null) throw new Error('There is no grip.');
    const touch = await context.newCDPSession(page);
    const x = start.x + start.width / 2;
    const [from, to] = [start.y + start.height / 2, end.y + 4];
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x, y }] });
    await send('touchStart', from);
    for (let step = 1; step <= 6; step += 1) await send('touchMove', from + ((to - from) * step) / 6);
    await send('touchEnd');
    await list.locator('li').nth(0).getByRole('button', { name: 'Grape', exact: true }).waitFor();
    await page.locator('form .form-label').nth(0).getByText('Grape').waitFor();
    await context.close();
    expect(ada.complaints).toEqual([]);
  });

  test('a stranger sends files and chooses linked rows on a phone', async () => {
    const path = `${meta}/projects/${projectId}/tables`;
    const cakes = await call<Entity>('POST', path, {
      title: 'Cakes',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText', pv: true },
        { title: 'Recipe', uidt: 'SingleLineText' },
      ],
    });
    for (const name of ['Plum', 'Cherry', 'Cheese'])
      await call('POST', `/api/v1/db/data/noco/${projectId}/${cakes.id}`, { Name: name, Recipe: 'secret' });
    const orders = await call<Entity>('POST', path, {
      title: 'Orders',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Who', uidt: 'SingleLineText' },
        { title: 'Photos', uidt: 'Attachment' },
      ],
    });
    const link = { title: 'Cakes', uidt: 'LinkToAnotherRecord', type: 'mm' };
    await call('POST', `${meta}/tables/${orders.id}/columns`, {
      ...link,
      parentId: orders.id,
      childId: cakes.id,
    });
    const view = await call<Entity>('POST', `${meta}/tables/${orders.id}/forms`, { title: 'Order a cake' });
    const { uuid } = await call<{ uuid: string }>('POST', `${meta}/views/${view.id}/share`, {});
    const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const stranger = await phone.newPage();
    const refused: string[] = [];
    stranger.on('response', (response) => {
      if (response.status() >= 400 && response.url().includes('/public/'))
        refused.push(`${response.status()} ${response.url()}`);
    });
    await stranger.goto(`${product.url}/#/nc/form/${uuid}`);
    await stranger.getByRole('textbox', { name: 'Who' }).fill('Eve');
    await stranger.getByRole('textbox', { name: 'Who' }).blur();
    await stranger.locator('input[type=file]').setInputFiles({
      name: 'cake.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('sweet'),
    });
    await stranger.getByRole('button', { name: 'Remove “cake.txt”' }).waitFor();
    await stranger.getByRole('button', { name: 'Choose rows' }).tap();
    await stranger.getByRole('button', { name: 'Plum' }).waitFor();
    await stranger.getByRole('searchbox').fill('che');
    await stranger.getByRole('button', { name: 'Plum' }).waitFor({ state: 'detached' });
    await stranger.getByRole('button', { name: 'Cheese' }).tap();
    await stranger.getByRole('button', { name: 'Cherry' }).tap();
    await stranger.getByRole('button', { name: 'Take Cherry away' }).waitFor();
    expect(await mistakesIn(stranger)).toEqual([]);
    await stranger.getByRole('button', { name: 'Submit' }).tap();
    await stranger.getByText('Thank you! Your answer was sent.').waitFor();
    const rows = await call<{ list: readonly { readonly Photos: string }[] }>(
      'GET',
      `/api/v1/db/data/noco/${projectId}/${orders.id}`,
    );
    expect(rows.list).toMatchObject([{ Who: 'Eve', Cakes: [{ Name: 'Cherry' }, { Name: 'Cheese' }] }]);
    expect(rows.list[0]?.Photos).toContain('cake.txt');
    expect(refused).toEqual([]);
    await phone.close();
  });

  test('a form has pictures by upload, and a link fills in its answers, linked rows among them', async () => {
    const path = `${meta}/projects/${projectId}/tables`;
    const makers = await call<Entity>('POST', path, {
      title: 'Bakers',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText', pv: true },
      ],
    });
    for (const Name of ['Ann', 'Bo', 'Bo'])
      await call('POST', `/api/v1/db/data/noco/${projectId}/${makers.id}`, { Name });
    const wishes = await call<Entity>('POST', path, {
      title: 'Wishes',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Who', uidt: 'SingleLineText' },
        { title: 'Guests', uidt: 'Number' },
        { title: 'Source', uidt: 'SingleLineText' },
      ],
    });
    const link = { title: 'Baker', uidt: 'LinkToAnotherRecord', type: 'mm' };
    await call('POST', `${meta}/tables/${wishes.id}/columns`, {
      ...link,
      parentId: wishes.id,
      childId: makers.id,
    });
    const view = await call<Entity>('POST', `${meta}/tables/${wishes.id}/forms`, { title: 'Your wish' });
    const form = await call<{ columns: readonly { id: string; fk_column_id: string }[] }>(
      'GET',
      `${meta}/forms/${view.id}`,
    );
    const table = await call<{ columns: readonly (Entity & { title: string })[] }>(
      'GET',
      `${meta}/tables/${wishes.id}`,
    );
    const source = table.columns.find(({ title }) => title === 'Source')?.id;
    const field = form.columns.find(({ fk_column_id: id }) => id === source)?.id;
    await call('PATCH', `${meta}/form-columns/${field}`, { meta: { hidden: true } });

    const { page } = ada;
    await page.goto(
      `${product.url}/#/nc/${projectId}?name=Wishes&dbalias=${wishes.id}&type=table&view=${view.id}`,
    );
    await page.getByLabel('Edit the form').getByText('Settings', { exact: true }).click();
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="240"><rect width="900" height="240" fill="#c2571a"/><circle cx="450" cy="120" r="90" fill="#ffd9a0"/><script>document.title="run"</script></svg>';
    await page
      .getByLabel('File for: Banner')
      .setInputFiles({ name: 'banner.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) });
    await page.locator('.form-view img.form-banner').waitFor();
    await page
      .getByLabel('File for: Logo')
      .setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await page.getByText('This file is no picture that can be shown').waitFor();
    await page
      .getByLabel('File for: Logo')
      .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) });
    await page.locator('.form-view img.form-logo').waitFor();
    expect(await mistakesIn(page)).toEqual([]);

    await page.getByRole('button', { name: 'Share view' }).click();
    await page.getByText('Anyone with the link can open this view').click();
    await page.getByRole('button', { name: 'Link with answers filled in' }).click();
    const builder = page.getByRole('region', { name: 'Answers that the link fills in' });
    await builder.getByLabel('Guests').fill('12');
    await builder.getByLabel('Guests').blur();
    await builder.getByLabel('Source').fill('mail & web');
    await builder.getByLabel('Source').blur();
    await builder.getByRole('button', { name: 'Choose rows' }).click();
    await builder.getByRole('button', { name: 'Ann' }).click();
    const made = builder.getByLabel('Link with answers filled in');
    await page.waitForFunction(
      (text) => [...document.querySelectorAll('input')].some(({ value }) => value.includes(text)),
      'Baker=id%3A1',
    );
    const address = await made.inputValue();
    await page.keyboard.press('Escape');

    const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const stranger = await phone.newPage();
    await stranger.goto(address);
    await stranger.getByText('Ann', { exact: true }).waitFor();
    expect(await stranger.getByRole('textbox', { name: 'Guests' }).inputValue()).toBe('12');
    expect(await stranger.getByText('Source').count()).toBe(0);
    const banner = stranger.locator('img.form-banner');
    await banner.waitFor();
    expect(await banner.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(900);
    expect(await stranger.title()).not.toBe('run');
    await stranger.getByRole('textbox', { name: 'Who' }).fill('Eve');
    await stranger.getByRole('textbox', { name: 'Who' }).blur();
    await stranger.getByRole('button', { name: 'Submit' }).tap();
    await stranger.getByText('Thank you! Your answer was sent.').waitFor();
    const rows = await call<{ list: readonly object[] }>(
      'GET',
      `/api/v1/db/data/noco/${projectId}/${wishes.id}`,
    );
    expect(rows.list).toMatchObject([
      { Who: 'Eve', Guests: 12, Source: 'mail & web', Baker: [{ Name: 'Ann' }] },
    ]);

    // What does not fit is told; the rest is filled in.
    await stranger.goto(`${address.split('?')[0]}?Guests=many&Baker=Bo&Who=Eve`);
    await stranger.reload();
    await stranger.getByText(/“Guests” with “many”, which is not taken/).waitFor();
    await stranger.getByText(/Several rows are called “Bo”/).waitFor();
    expect(await stranger.getByRole('textbox', { name: 'Who' }).inputValue()).toBe('Eve');
    expect(await mistakesIn(stranger)).toEqual([]);
    await phone.close();
    expect(ada.complaints).toEqual([]);
  });
});
