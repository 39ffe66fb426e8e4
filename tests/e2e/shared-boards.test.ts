import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { findingsInBothThemes } from './axe.ts';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { createProject, newPerson, signedInClient, signUp, type Person } from './person.ts';

const email = 'ann@example.com';
const meta = '/api/v1/db/meta';

interface Table {
  readonly id: string;
  readonly columns: readonly { readonly id: string; readonly title: string }[];
}

/** A page of another site that frames an address. */
async function startSite(address: () => string): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<h1>Another site</h1><iframe src="${address()}" width="1200" height="600"></iframe>`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describeInBrowser('boards and calendars that are shared by links', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ann: Person;
  let stranger: Person;
  let projectId = '';
  let board = '';
  let calendar = '';
  let gallery = '';
  let grid = '';
  let tableId = '';
  let lockedView = '';
  let boardView = '';
  let call: Awaited<ReturnType<typeof signedInClient>>;

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    ann = await newPerson(browser, product.url);
    stranger = await newPerson(browser, product.url);
    await signUp(ann, product.url, email);
    await createProject(ann, 'Atlas');
    call = await signedInClient(product.url, email);
    const [project] = (await call<{ list: { id: string }[] }>('GET', `${meta}/projects`)).list;
    projectId = project?.id ?? '';
    const options = ['open', 'done', 'lost'].map((title) => ({ id: `sl_${title}`, title, color: '#cfdffe' }));
    const table = await call<Table>('POST', `${meta}/projects/${projectId}/tables`, {
      title: 'Task',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText', pv: true },
        { title: 'State', uidt: 'SingleSelect', meta: { options } },
        { title: 'Due', uidt: 'Date' },
      ],
    });
    const state = table.columns.find(({ title }) => title === 'State')?.id ?? '';
    const today = new Date().toISOString().slice(0, 10);
    for (const [Name, State] of [
      ['Paint', 'open'],
      ['Sweep', 'open'],
      ['Build', 'done'],
      ['Forget', 'lost'],
    ])
      await call('POST', `/api/v1/db/data/noco/${projectId}/Task`, { Name, State, Due: today });
    const make = async (plural: string, body: object, options_?: object) => {
      const { id } = await call<{ id: string }>('POST', `${meta}/tables/${table.id}/${plural}`, body);
      if (options_) await call('PATCH', `${meta}/views/${id}`, { meta: options_ });
      return { id, ...(await call<{ uuid: string }>('POST', `${meta}/views/${id}/share`, {})) };
    };
    const stacks = [{ columnId: state, stacks: [{ id: 'sl_lost', hidden: true }] }];
    const kanban = await make(
      'kanbans',
      { title: 'Board', fk_grp_col_id: state },
      { stackedBy: state, arrangements: stacks },
    );
    board = kanban.uuid;
    boardView = kanban.id;
    calendar = (await make('calendars', { title: 'Days' })).uuid;
    gallery = (await make('galleries', { title: 'Cards' })).uuid;
    const grouped = await make(
      'grids',
      { title: 'By state' },
      { groups: [{ columnId: state, direction: 'asc' }] },
    );
    grid = grouped.uuid;
    lockedView = grouped.id;
    await call('PATCH', `${meta}/views/${lockedView}`, { lock_type: 'locked' });
    tableId = table.id;
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  const seriousIn = async ({ page }: Person) => {
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
    );
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  };

  test('a stranger sees the stacks of a board with their numbers, and none that is hidden', async () => {
    const { page } = stranger;
    await page.goto(`${product.url}/#/nc/kanban/${board}`);
    const stack = page.getByRole('region', { name: 'open', exact: true });
    await stack.getByRole('listitem').filter({ hasText: 'Paint' }).waitFor();
    await stack.getByTitle('Rows').filter({ hasText: /^2$/ }).waitFor();
    await page.getByRole('region', { name: 'done', exact: true }).getByText('Build').waitFor();
    expect(await page.getByText('Forget').count()).toBe(0);
    expect(await page.getByRole('region', { name: /^(lost|Uncategorised)$/ }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /Show lost|New row|Add a stack/ }).count()).toBe(0);
    // What they hide themselves comes back, and what the view hides is not told of.
    await page.getByRole('button', { name: 'Menu of the stack open' }).click();
    await page.getByRole('menuitem', { name: 'Hide' }).click();
    await stack.waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: /^Show / }).allTextContents()).toEqual(['Show open']);
    await page.getByRole('button', { name: 'Show open' }).click();
    await page.getByRole('searchbox', { name: 'Search' }).fill('Swe');
    await stack.getByText('Paint').waitFor({ state: 'detached' });
    await stack.getByText('Sweep').waitFor();
    expect(await seriousIn(stranger)).toEqual([]);
    expect(stranger.complaints).toEqual([]);
  });

  test('a stranger sees the days of a calendar', async () => {
    const { page } = stranger;
    await page.goto(`${product.url}/#/nc/calendar/${calendar}`);
    await page.getByText('Paint').first().waitFor();
    expect(await seriousIn(stranger)).toEqual([]);
    expect(stranger.complaints).toEqual([]);
  });

  test('a stranger sees the cards of a gallery on a phone, in both themes', async () => {
    const { page } = stranger;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${product.url}/#/nc/gallery/${gallery}`);
    await page.getByRole('article', { name: 'Paint' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await findingsInBothThemes(page)).toEqual({ light: [], dark: [] });
    expect(await page.getByRole('button', { name: /New row|Settings|Share/ }).count()).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(stranger.complaints).toEqual([]);
  });

  test('rows stay grouped for strangers and in a locked view, where a person groups for themselves alone, and groups fold', async () => {
    const folds = async (page: Page) => {
      const open = page.getByRole('button', { name: /open/, expanded: true }).first();
      await open.waitFor();
      await page.getByRole('gridcell', { name: 'Paint' }).waitFor();
      await open.click();
      await page.getByRole('gridcell', { name: 'Paint' }).waitFor({ state: 'detached' });
      await page.getByRole('gridcell', { name: 'Build' }).waitFor();
    };
    await stranger.page.goto(`${product.url}/#/nc/view/${grid}`);
    await folds(stranger.page);
    expect(await stranger.page.getByRole('button', { name: 'Group', exact: true }).count()).toBe(0);
    expect(stranger.complaints).toEqual([]);

    const { page } = ann;
    await page.goto(
      `${product.url}/#/nc/${projectId}?name=Task&dbalias=${tableId}&type=table&view=${lockedView}`,
    );
    await folds(page);
    await page
      .getByRole('button', { name: /^Group/ })
      .first()
      .click();
    const own = page.getByRole('region', { name: 'For you alone' });
    await own.getByText('This view is locked.', { exact: false }).waitFor();
    // It stays as it is for everybody else.
    await own.getByRole('button', { name: 'Add grouping' }).waitFor();
    await page.keyboard.press('Escape');
    expect(ann.complaints).toEqual([]);
  });

  test('sites that the link names show it inside theirs, and others do not', async () => {
    let address = `${product.url}/embed/nc/kanban/${board}`;
    const [named, other] = await Promise.all([startSite(() => address), startSite(() => address)]);
    try {
      await call('PATCH', `${meta}/views/${boardView}/share`, { meta: { embedSites: [named.url] } });
      const { page } = await newPerson(browser, named.url);
      const frame = page.frameLocator('iframe');
      await frame.getByRole('region', { name: 'open', exact: true }).getByText('Paint').waitFor();
      // What stands behind the # is the other site's to change: it leads to no other page.
      address = `${product.url}/embed/nc/kanban/${board}#/user/authentication/signin`;
      await page.reload();
      await frame.getByRole('region', { name: 'open', exact: true }).getByText('Paint').waitFor();
      expect(await frame.getByLabel('Password').count()).toBe(0);
      const refused = async (url: string) => {
        const visitor = await newPerson(browser, 'about:blank');
        const refusal = visitor.page.waitForEvent('console', {
          predicate: (message) => /frame-ancestors|X-Frame-Options/i.test(message.text()),
        });
        await visitor.page.goto(url);
        await refusal;
        await visitor.context.close();
      };
      await refused(other.url);
      address = `${product.url}/#/nc/kanban/${board}`;
      await refused(named.url);
    } finally {
      named.server.close();
      other.server.close();
    }
  });

  test('sites that the owner names show the whole project inside theirs', async () => {
    const shared = `${meta}/projects/${projectId}/shared`;
    const { uuid } = await call<{ uuid: string }>('POST', shared, { roles: 'viewer' });
    const site = await startSite(() => `${product.url}/embed/nc/base/${uuid}`);
    try {
      await call('PATCH', shared, { roles: 'viewer', embed_sites: [site.url] });
      const { page } = await newPerson(browser, site.url);
      const frame = page.frameLocator('iframe');
      const tables = frame.getByRole('navigation', { name: 'Tables' });
      await tables.getByRole('button', { name: 'Task', exact: true }).click();
      await frame.getByRole('gridcell', { name: 'Paint' }).waitFor();
      expect(await tables.getByRole('button', { name: 'Task', exact: true }).isVisible()).toBe(true);
    } finally {
      site.server.close();
    }
  });

  test('the owner finds all links of the project in one list, and closes one there', async () => {
    const { page } = ann;
    await page.goto(`${product.url}/#/nc/${projectId}?name=Shared%20views&dbalias=&type=shared-views`);
    const line = page.getByRole('row', { name: /Board/ });
    await line.waitFor();
    // Visits of before: those of the stranger, and those of the sites.
    await line.getByRole('img', { name: /[1-9]\d* visits in the last/ }).waitFor();
    expect(await line.locator('svg rect').count()).toBeGreaterThan(7);
    const search = page.getByRole('searchbox', { name: /Search|Find/ }).last();
    await search.fill('Cards');
    await line.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Cards/ }).waitFor();
    await search.fill('');
    await line.waitFor();
    await page.getByRole('button', { name: "More about the link of 'Days'" }).click();
    await page.getByRole('menuitem', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Turn off', exact: true }).click();
    await page.getByRole('row', { name: /Days/ }).waitFor({ state: 'detached' });
    expect(await seriousIn(ann)).toEqual([]);
    await stranger.page.goto(`${product.url}/#/nc/calendar/${calendar}`);
    await stranger.page.getByText('This link opens nothing').waitFor();
    expect(ann.complaints).toEqual([]);
  });
});
