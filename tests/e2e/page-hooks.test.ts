import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { createProject, createTable, newPerson, signedInClient, signUp, type Person } from './person.ts';

/** A plugin of somebody else that listens to the page, and has a page in a frame of its own. */
const listener = {
  id: 'acme-listener',
  name: 'Listener',
  manifest: { contributes: { layouts: [{ id: 'acme-frame' }], routes: [] } },
  web: `import { createElement as h } from 'react';
    const note = (key, value) => { document.body.dataset[key] = value; };
    export default { setup(ctx) {
      ctx.tap('projects.didOpen', ({ projectId }) => note('opened', projectId));
      ctx.tap('live.didReceive', (event) => note('heard', JSON.stringify(event)));
      ctx.tap('session.didEnd', ({ reason }) => note('ended', reason));
      ctx.register('layouts', { id: 'acme-frame',
        Component: ({ children }) => h('section', { 'aria-label': 'Frame of Acme' }, children) });
      ctx.register('routes', { id: 'acme-listener', path: '/acme', layout: 'acme-frame', title: 'Acme',
        Component: () => h('h1', null, 'Within the frame') });
    } };`,
};

describeInBrowser('a plugin that listens to the page', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([listener]), launchBrowser()]);
    ada = await newPerson(browser, product.url);
    await signUp(ada, product.url, 'ada@example.com');
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  test('hears of the project that is opened, of what others change, and of the end of the session', async () => {
    const { page } = ada;
    await createProject(ada, 'Zoo');
    await createTable(ada, 'Animals');
    const projectId = /#\/nc\/([^?]+)/.exec(page.url())?.[1] ?? 'none';
    await page.locator(`body[data-opened="${projectId}"]`).waitFor();
    const call = await signedInClient(product.url, 'ada@example.com');
    await call('POST', '/api/v1/db/data/noco/Zoo/Animals', { Title: 'Lion' });
    await page.getByRole('gridcell', { name: 'Lion' }).waitFor();
    await page.locator('body[data-heard*="row"]').waitFor();

    await page.goto(`${product.url}/#/acme`);
    const frame = page.getByRole('region', { name: 'Frame of Acme' });
    await frame.getByRole('heading', { name: 'Within the frame' }).waitFor();
    expect(await page.getByRole('banner').count()).toBe(0);

    await page.goto(`${product.url}/#/projects`);
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.locator('body[data-ended="signedOut"]').waitFor();
    expect(ada.complaints).toEqual([]);
  });
});
