import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { createProject, createTable, newPerson, signIn, signUp, type Person } from './person.ts';

const schemas = `
    const options = {
      type: 'object',
      properties: { prefix: { type: 'string' }, cover: { type: 'string', title: 'Cover column' } },
    };
    const columnOptions = {
      type: 'object',
      properties: { label: { type: 'string', title: 'Label', pattern: '^[A-Z]' } },
    };
    const type = { id: 'cards', label: 'Cards', options, columnOptions };`;

/** A view type of somebody else: rows as cards, with options for the view and its columns and rules for them, over the SDK's rows. */
const cards = {
  id: 'view-cards',
  name: 'Cards',
  manifest: { category: 'view', contributes: { viewTypes: [{ id: 'cards', label: 'Cards' }] } },
  server: `import { Veto } from '@trellis/sdk/shared';
    ${schemas}
    /** Cards have a cover: the first line of text where nobody has chosen one. */
    function willSave(draft, { table }) {
      const texts = table.columns.filter((column) => column.type === 'SingleLineText');
      if (texts.length === 0) throw new Veto('CARDS_TEXT', 'Cards need a column of text for their cover.');
      if (draft.options.prefix === 'rude') throw new Veto('CARDS_PREFIX', 'Cards do not say this.');
      return { ...draft, options: { cover: texts[0].id, ...draft.options } };
    }
    export default { setup(ctx) {
      ctx.register('viewTypes', { ...type, willSave });
      ctx.register('permissions', { id: 'cardsViewCreate', label: 'Create a card view', scope: 'project', roles: [] });
    } };`,
  web: `import { createElement as h, useEffect, useSyncExternalStore } from 'react';
    import { useRows } from '@trellis/sdk/web/rows';
    import { useViewColumns, useViewOptions } from '@trellis/sdk/web/views';
    ${schemas}

    function Cards(props) {
      const { project, table, view } = props;
      const rows = useRows({ kind: 'view', project, table, view });
      const { source } = rows;
      useSyncExternalStore(source.subscribe, () => source.version);
      useEffect(() => source.ensure(0, 20), [source]);
      const { prefix, cover } = useViewOptions(view);
      const { columns = [] } = useViewColumns(props);
      const label = columns.find(({ column }) => column.id === cover)?.options.label;
      const cards = [];
      for (let at = 0; at < (source.count ?? 0); at++) {
        const row = source.rowAt(at);
        const title = String(row?.values[cover]);
        if (row) cards.push(h('article', { key: row.key, 'aria-label': title }, label && label + ': ', prefix, title));
      }
      const add = () => void rows.insert({ [cover]: 'made here' });
      return h('section', { 'aria-label': 'Cards' }, cards, h('button', { type: 'button', onClick: add }, 'Add a card'));
    }

    function Settings({ settings, onChange }) {
      const save = (event) => onChange({ ...settings, prefix: event.target.value });
      return h('label', null, 'Prefix', h('input', { defaultValue: settings.prefix ?? '', onBlur: save }));
    }

    export default { setup(ctx) {
      const parts = { View: Cards, SettingsPanel: Settings, uses: ['filters', 'fields'] };
      ctx.register('viewTypes', { ...type, icon: 'th-large', ...parts });
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

  test('is made from the view list, draws rows of the SDK, keeps its options, and offers the buttons that it uses', async () => {
    const { page } = ada;
    const toolbar = page.getByRole('toolbar', { name: 'View' });
    await toolbar.getByRole('button').first().click();
    await page.getByRole('button', { name: /New view: Cards/ }).click();
    await page.getByRole('button', { name: 'Create view' }).click();
    const view = page.getByRole('region', { name: 'Cards' });
    await view.getByRole('button', { name: 'Add a card' }).click();
    await view.getByRole('article', { name: 'made here' }).waitFor();
    expect(await toolbar.getByRole('button', { name: 'Filter' }).count()).toBe(1);
    expect(await toolbar.getByRole('button', { name: 'Sort' }).count()).toBe(0);
    await toolbar.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Prefix').fill('No. ');
    await page.getByLabel('Prefix').blur();
    await view.getByText('No. made here').waitFor();
    await page.getByLabel('Prefix').fill('rude');
    await page.getByLabel('Prefix').blur();
    await page.getByText('Cards do not say this.').waitFor();
    await view.getByText('No. made here').waitFor();
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByRole('region', { name: 'Cards' }).getByText('No. made here').waitFor();
    expect(ada.complaints).toEqual([]);
  });

  test('keeps options for each column, which are on the screen of everybody at once', async () => {
    const { page } = ada;
    const other = await newPerson(browser, product.url);
    await signIn(other, product.url, 'ada@example.com');
    await other.page.goto(page.url());
    await other.page.getByText('No. made here').waitFor();
    await page
      .getByRole('toolbar', { name: 'View' })
      .getByRole('button', { name: /^Fields/ })
      .click();
    const panel = page.getByRole('dialog', { name: /^Fields/ });
    await panel.getByRole('button', { name: 'Options of Title' }).click();
    await panel.getByLabel('Label').fill('who');
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByText(/^Label must match/).waitFor();
    await panel.getByLabel('Label').fill('Who');
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByRole('button', { name: 'Options of Title' }).waitFor();
    for (const of of [page, other.page])
      await of.getByRole('region', { name: 'Cards' }).getByText('Who: No. made here').waitFor();
    expect([...ada.complaints, ...other.complaints]).toEqual([]);
  });

  test('is a read-only grid with a notice once its plugin is off', async () => {
    const { page } = ada;
    const address = page.url();
    await page.goto(`${product.url}/#/app-store`);
    await page.getByRole('article', { name: 'Cards', exact: true }).getByRole('switch').click();
    const question = page.getByRole('dialog', { name: 'Switch Cards off?' });
    await question.getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('switch', { name: 'Switch Cards on', disabled: false }).waitFor();
    await page.goto(address);
    await page
      .getByText('The plugin that draws views of the type “cards” is switched off or missing.')
      .waitFor();
    await page.getByRole('gridcell', { name: 'made here' }).waitFor();
    expect(await page.getByRole('button', { name: 'Add a row' }).count()).toBe(0);
  });
});
