import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { createProject, createTable, newPerson, signUp, type Person } from './person.ts';

/** A view type of somebody else: rows as cards, with a settings panel, over the SDK's rows. */
const cards = {
  id: 'view-cards',
  name: 'Cards',
  manifest: { category: 'view', contributes: { viewTypes: [{ id: 'cards', label: 'Cards' }] } },
  server: `export default { setup(ctx) {
      ctx.register('viewTypes', { id: 'cards', label: 'Cards' });
      ctx.register('permissions', { id: 'cardsViewCreate', label: 'Create a card view', scope: 'project', roles: [] });
    } };`,
  web: `import { createElement as h, useEffect, useSyncExternalStore } from 'react';
    import { useRows } from '@trellis/sdk/web/rows';

    function Cards({ project, table, view }) {
      const rows = useRows({ kind: 'view', project, table, view });
      const { source } = rows;
      useSyncExternalStore(source.subscribe, () => source.version);
      useEffect(() => source.ensure(0, 20), [source]);
      const { id } = table.columns.find((column) => column.pv);
      const cards = [];
      for (let at = 0; at < (source.count ?? 0); at++) {
        const row = source.rowAt(at);
        const title = String(row?.values[id]);
        if (row) cards.push(h('article', { key: row.key, 'aria-label': title }, view.meta?.prefix, title));
      }
      const add = () => void rows.insert({ [id]: 'made here' });
      return h('section', { 'aria-label': 'Cards' }, cards, h('button', { type: 'button', onClick: add }, 'Add a card'));
    }

    function Settings({ settings, onChange }) {
      const save = (event) => onChange({ prefix: event.target.value });
      return h('label', null, 'Prefix', h('input', { defaultValue: settings.prefix ?? '', onBlur: save }));
    }

    export default { setup(ctx) {
      const parts = { View: Cards, SettingsPanel: Settings, uses: ['filters', 'sorts'] };
      ctx.register('viewTypes', { id: 'cards', label: 'Cards', icon: 'th-large', ...parts });
    } };`,
};

describeInBrowser('a view type that a plugin of somebody else adds', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;

  beforeAll(async () => {
    product = await startBuiltProduct([cards]);
    browser = await launchBrowser();
    ada = await newPerson(browser, product.url);
    await signUp(ada, product.url, 'ada@example.com');
    await createProject(ada, 'Cards');
    await createTable(ada, 'People');
  });

  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  test('is made from the view list, draws rows of the SDK, keeps its settings, and offers the buttons that it uses', async () => {
    const { page } = ada;
    const toolbar = page.getByRole('toolbar', { name: 'View' });
    await toolbar.getByRole('button').first().click();
    await page.getByRole('button', { name: /New view: Cards/ }).click();
    const view = page.getByRole('region', { name: 'Cards' });
    await view.getByRole('button', { name: 'Add a card' }).click();
    await view.getByRole('article', { name: 'made here' }).waitFor();
    expect(await toolbar.getByRole('button', { name: 'Filter' }).count()).toBe(1);
    expect(await toolbar.getByRole('button', { name: 'Fields' }).count()).toBe(0);
    await toolbar.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Prefix').fill('No. ');
    await page.getByLabel('Prefix').blur();
    await view.getByText('No. made here').waitFor();
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByRole('region', { name: 'Cards' }).getByText('No. made here').waitFor();
    expect(ada.complaints).toEqual([]);
  });

  test('is a read-only grid with a notice once its plugin is off', async () => {
    const { page } = ada;
    const address = page.url();
    await page.goto(`${product.url}/#/app-store`);
    await page.getByRole('article', { name: 'Cards', exact: true }).getByRole('switch').click();
    await page.goto(address);
    await page.getByText('The plugin that draws this view is switched off.').waitFor();
    await page.getByRole('gridcell', { name: 'made here' }).waitFor();
    expect(await page.getByRole('button', { name: 'Add a row' }).count()).toBe(0);
  });
});
