import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { cellAt } from './cells.ts';
import { createProject, newPerson, openTable, signedInClient, signUp, type Person } from './person.ts';

interface Filled {
  /** What is typed on the cell. */
  readonly typed: string;
  /** What the cell shows then. */
  readonly shown: RegExp;
  /** The key that ends it; Enter where it is left out. */
  readonly by?: string;
}

const options = ['Red', 'Green'].map((title) => ({ id: title, title, color: '#cfdffe' }));

/** Types that people fill: what they type, and what they see then. */
const filled: Readonly<Record<string, Filled>> = {
  SingleLineText: { typed: 'Ada Lovelace', shown: /^Ada Lovelace$/ },
  LongText: { typed: 'two words', shown: /^two words$/ },
  Email: { typed: 'ada@example.com', shown: /^ada@example\.com$/ },
  URL: { typed: 'https://a.example.com', shown: /^https:\/\/a\.example\.com$/ },
  PhoneNumber: { typed: '13812345678', shown: /^13812345678$/ },
  Password: { typed: 'covered', shown: /^•+$/ },
  Number: { typed: '42', shown: /^42$/ },
  Decimal: { typed: '1.5', shown: /^1\.5$/ },
  Currency: { typed: '1200.5', shown: /^\$1,200\.50$/ },
  Percent: { typed: '50', shown: /^50\s?%$/ },
  Duration: { typed: '1:30', shown: /^0?1:30$/ },
  Rating: { typed: '3', shown: /^3 of 5$/ },
  Checkbox: { typed: ' ', shown: /^true$/ },
  Date: { typed: '2026-03-29', shown: /^2026-03-29$/ },
  DateTime: { typed: '2026-03-29 14:30', shown: /^2026-03-29 14:30$/ },
  Time: { typed: '14:30', shown: /^14:30$/ },
  Year: { typed: '2026', shown: /^2026$/ },
  SingleSelect: { typed: 'Green', shown: /^Green$/, by: 'Tab' },
  MultiSelect: { typed: 'Red', shown: /^Red$/, by: 'Tab' },
  Collaborator: { typed: 'ada', shown: /ada/i, by: 'Tab' },
  JSON: { typed: '{"a":1}', shown: /^\{"a":\s?1\}$/, by: 'Control+Enter' },
  Geometry: { typed: 'POINT (11.5 48.1)', shown: /^POINT \(11\.5 48\.1\)$/ },
  Barcode: { typed: 'ABC-1234', shown: /^ABC-1234$/ },
  QrCode: { typed: 'https://a.example.com/b', shown: /^https:\/\/a\.example\.com\/b$/ },
};

/** Types whose cells come by themselves. */
const given: Readonly<Record<string, RegExp>> = {
  AutoNumber: /^1$/,
  CreateTime: /^\d{4}-\d\d-\d\d \d\d:\d\d$/,
  LastModifiedTime: /^\d{4}-\d\d-\d\d \d\d:\d\d$/,
  CreatedBy: /ada/i,
  LastModifiedBy: /ada/i,
  Button: /^Go$/,
};

/** Types that have walks of their own, in `links.test.ts`, `crm.test.ts` and `attachments.test.ts`. */
const walked = ['Attachment', 'LinkToAnotherRecord', 'Lookup', 'Rollup', 'Count', 'Formula'];

/** So that no title begins as another one. */
const titleOf = (uidt: string) => `${uidt} cell`;

describeInBrowser('columns of every type in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let ada: Person;
  let client: Awaited<ReturnType<typeof signedInClient>>;

  beforeAll(async () => {
    server = await createTestServer();
    browser = await launchBrowser();
    ada = await newPerson(browser, server.url);
    // All columns are in sight.
    await ada.page.setViewportSize({ width: 7000, height: 500 });
    await signUp(ada, server.url, 'ada@example.com');
    await createProject(ada, 'Types');
    client = await signedInClient(server.url, 'ada@example.com');
    const projects = await client<{ list: readonly { id: string }[] }>('GET', '/api/v1/db/meta/projects');
    const made = Object.keys({ ...filled, ...given }).filter((uidt) => uidt !== 'Button');
    const path = `/api/v1/db/meta/projects/${projects.list[0]?.id}/tables`;
    const table = await client<{ id: string }>('POST', path, {
      title: 'Sheet',
      columns: [
        { title: 'Id', uidt: 'ID' },
        ...made.map((uidt) => ({
          title: titleOf(uidt),
          uidt,
          ...(uidt.endsWith('Select') && { meta: { options } }),
        })),
      ],
    });
    const meta = { label: 'Go', action: 'link', formula: 'CONCAT("https://a.example.com/", {Id})' };
    await client('POST', `/api/v1/db/meta/tables/${table.id}/columns`, {
      title: titleOf('Button'),
      uidt: 'Button',
      meta,
    });
    await client('POST', '/api/v1/db/data/noco/Types/Sheet', {});
    await ada.page.reload();
    await openTable(ada, 'Sheet');
  });

  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
  });

  /** Waits until the cell of the first row shows, or says, what it should. */
  async function shows(uidt: string, shown: RegExp): Promise<void> {
    const cell = await cellAt(ada.page, 0, titleOf(uidt));
    if (uidt === 'Checkbox') await cell.locator(`[aria-checked="${shown.test('true')}"]`).waitFor();
    else if (uidt === 'Rating')
      await cell.getByRole('img', { name: shown }).or(cell.getByRole('group')).first().waitFor();
    else await cell.filter({ hasText: shown }).waitFor();
  }

  test('each type that people can make is filled by its editor, seen, still seen after a reload, and cleared', async () => {
    const { page } = ada;
    const types = server.host.registries.get('columnTypes').list();
    const offered = types.filter(({ creatable }) => creatable !== false);
    const known = [...Object.keys(filled), ...Object.keys(given), ...walked];
    expect(offered.map(({ id }) => id).toSorted()).toEqual(known.toSorted());

    for (const [uidt, { typed, shown, by = 'Enter' }] of Object.entries(filled)) {
      const cell = await cellAt(page, 0, titleOf(uidt));
      await cell.click({ position: { x: 3, y: 3 } });
      await page.keyboard.type(typed);
      if (uidt !== 'Checkbox') await page.keyboard.press(by);
      await shows(uidt, shown);
    }
    await page.reload();
    for (const [uidt, { shown }] of Object.entries(filled)) await shows(uidt, shown);
    for (const [uidt, shown] of Object.entries(given)) await shows(uidt, shown);
    for (const uidt of Object.keys(filled)) {
      const cell = await cellAt(page, 0, titleOf(uidt));
      await cell.click({ position: { x: 3, y: 3 } });
      await page.keyboard.press('Delete');
      if (uidt !== 'Checkbox' && uidt !== 'Rating') await shows(uidt, /^$/);
    }
    const row = await client<Readonly<Record<string, unknown>>>('GET', '/api/v1/db/data/noco/Types/Sheet/1');
    const left = Object.keys(filled).filter(
      (uidt) => ![null, '', false, 0].includes(row[titleOf(uidt)] as null),
    );
    expect(left).toEqual([]);
    expect(ada.complaints).toEqual([]);
  });
});
