/**
 * Prints how soon one browser's change is on another one's screen, counted from the answer that the first one gets, and how soon a
 * first-time browser can use the sign-in form, in English and in German. It has no limits: figures of one machine say little about
 * another.
 *
 * It needs a built product. Both browsers show the same grid; the first one makes each kind of change several times by a call of
 * its page.
 *
 *   node tests/run-typescript.mjs tests/bench/two-browsers.ts [--times=5] [--only=column]
 */
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { startBuiltProduct } from '../e2e/built-product.ts';
import { objectChanges } from '../e2e/object-changes.ts';
import { createProject, createTable, newPerson, signedInClient, signIn, signUp } from '../e2e/person.ts';
import { watchRequests } from '../e2e/requests.ts';

const { values: options } = parseArgs({
  options: { times: { type: 'string', default: '5' }, only: { type: 'string', default: '' } },
});
const times = Number(options.times);
/** Milliseconds after which a change has no further effects. */
const rest = 400;
const meta = '/api/v1/db/meta';
const email = 'ada@example.com';

const print = (name: string, ...values: readonly string[]): void =>
  void process.stdout.write(`${name.padEnd(24)}${values.map((value) => value.padStart(16)).join('')}\n`);

function medianAndWorst(measured: readonly number[]): string {
  const sorted = measured.toSorted((a, b) => a - b);
  return `${Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)} / ${Math.round(sorted.at(-1) ?? 0)} ms`;
}

/** The screen's expected state: texts that are present, and texts that are absent. */
interface Seen {
  /** The elements whose text counts; default: the whole page. */
  readonly within?: string;
  readonly there?: string;
  readonly gone?: string;
  /** The text of the first element. */
  readonly first?: string;
  /** The width in pixels of the first element that contains `there`. */
  readonly width?: number;
}

/** Resolves to the time of the frame in which the screen has this state, in milliseconds since the epoch. */
function seenAt(page: Page, seen: Seen): Promise<number> {
  return page.evaluate(async ({ within = 'body', there, gone, first, width }) => {
    const isSo = (): boolean => {
      const elements = [...document.querySelectorAll<HTMLElement>(within)];
      const has = (text: string) => elements.some((element) => element.innerText.includes(text));
      if (there !== undefined && !has(there)) return false;
      if (gone !== undefined && has(gone)) return false;
      if (first !== undefined && elements[0]?.innerText.trim() !== first) return false;
      const wide = elements.find((element) => element.innerText.includes(there ?? ''));
      return width === undefined || Math.abs((wide?.getBoundingClientRect().width ?? 0) - width) < 2;
    };
    while (!isSo()) await new Promise(requestAnimationFrame);
    return performance.timeOrigin + performance.now();
  }, seen);
}

interface Call {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

interface Answered<T> {
  readonly at: number;
  readonly data: T;
}

/** A change, its visible effect in the other browser, and the call that undoes it. */
interface Change {
  readonly name: string;
  call(turn: number): Call | Promise<Call>;
  seen(turn: number): Seen;
  undo?(answer: { readonly id: string }): Call;
}

const launched = chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const [product, browser] = await Promise.all([startBuiltProduct([]), launched]);
const { url } = product;

try {
  const maker = await newPerson(browser, url);
  let token = '';
  maker.page.on('request', (request) => {
    token = request.headers()['xc-auth'] ?? token;
  });
  await signUp(maker, url, email);
  print('A change of A', 'on the screen of B');
  await printObjectChanges();
  // Last, because it leaves plugins disabled.
  await printChanges();
  await printFirstUse();

  /** Calls the server from the page of the person who makes changes. */
  async function call<T>({ method, path, body }: Call | { method: 'GET'; path: string; body?: undefined }) {
    return maker.page.evaluate(
      async ({ method, path, text, token }) => {
        const headers = { 'content-type': 'application/json', 'xc-auth': token };
        const answer = await fetch(path, { method, headers, ...(text !== undefined && { body: text }) });
        const said = await answer.text();
        if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${said}`);
        return { at: performance.timeOrigin + performance.now(), data: said === '' ? {} : JSON.parse(said) };
      },
      { method, path, text: body === undefined ? undefined : JSON.stringify(body), token },
    ) as Promise<Answered<T>>;
  }

  async function printChanges(): Promise<void> {
    await createProject(maker, 'Work');
    await createTable(maker, 'Tasks');
    const [, projectId = ''] = /\/nc\/([^?/]+)/.exec(maker.page.url()) ?? [];
    const tables = await call<{ list: readonly { id: string }[] }>({
      method: 'GET',
      path: `${meta}/projects/${projectId}/tables`,
    });
    const tableId = tables.data.list[0]?.id ?? '';
    const table = await call<{
      columns: readonly { id: string; pv: boolean; pk: boolean; title: string }[];
      views: readonly { id: string }[];
    }>({ method: 'GET', path: `${meta}/tables/${tableId}` });
    const naming = table.data.columns.find(({ pv }) => pv);
    const key = table.data.columns.find(({ pk }) => pk);
    const viewId = table.data.views[0]?.id ?? '';
    if (naming === undefined || key === undefined)
      throw new Error('The table has no columns to measure with.');
    const data = `/api/v1/db/data/noco/${projectId}/${tableId}`;
    const named = (text: string) => ({ [naming.title]: text });
    const keys: string[] = [];
    for (const text of ['Ant', 'Bee', 'Cat']) {
      const { data: row } = await call<Record<string, unknown>>({
        method: 'POST',
        path: data,
        body: named(text),
      });
      keys.push(String(row[key.title]));
    }
    const { data: column } = await call<{ columns: readonly { id: string; title: string }[] }>({
      method: 'POST',
      path: `${meta}/tables/${tableId}/columns`,
      body: { title: 'Note 0', uidt: 'SingleLineText' },
    });
    const noteId = column.columns.find(({ title }) => title === 'Note 0')?.id ?? '';
    const inView = async () => {
      const { data: shown } = await call<readonly { id: string; fk_column_id: string }[]>({
        method: 'GET',
        path: `${meta}/views/${viewId}/columns`,
      });
      return `${meta}/grid-columns/${shown.find((of) => of.fk_column_id === noteId)?.id ?? ''}`;
    };

    const onlooker = await newPerson(browser, url);
    await signIn(onlooker, url, email);
    await onlooker.page.goto(maker.page.url());
    await onlooker.page.getByRole('gridcell', { name: 'Cat' }).waitFor();
    // Opens the list of the views.
    await onlooker.page.getByRole('button', { name: 'Contents of Tasks' }).click();
    await setTimeout(2000);

    const cells = '[role=gridcell]';
    const names = `${cells}[aria-colindex="2"]`;
    const heads = '[role=columnheader]';
    let made = '';
    const changes: readonly Change[] = [
      {
        name: 'cell',
        call: (turn) => ({ method: 'PATCH', path: `${data}/${keys[0]}`, body: named(`Ant ${turn}`) }),
        seen: (turn) => ({ within: cells, there: `Ant ${turn}` }),
      },
      {
        name: 'row added',
        call: (turn) => ({ method: 'POST', path: data, body: named(`Dog ${turn}`) }),
        seen: (turn) => ({ within: cells, there: `Dog ${turn}` }),
      },
      {
        name: 'row deleted',
        call: async (turn) => {
          const { data: row } = await call<Record<string, unknown>>({
            method: 'POST',
            path: data,
            body: named(`Elk ${turn}`),
          });
          await seenAt(onlooker.page, { within: cells, there: `Elk ${turn}` });
          return { method: 'DELETE', path: `${data}/${String(row[key.title])}` };
        },
        seen: (turn) => ({ within: cells, gone: `Elk ${turn}` }),
      },
      {
        name: 'column added',
        call: (turn) => ({
          method: 'POST',
          path: `${meta}/tables/${tableId}/columns`,
          body: { title: `New ${turn}`, uidt: 'Number' },
        }),
        seen: (turn) => ({ within: heads, there: `New ${turn}` }),
      },
      {
        name: 'column renamed',
        call: (turn) => ({
          method: 'PATCH',
          path: `${meta}/columns/${noteId}`,
          body: { title: `Note ${turn + 1}` },
        }),
        seen: (turn) => ({ within: heads, there: `Note ${turn + 1}` }),
      },
      {
        name: 'column deleted',
        call: async (turn) => {
          const { data: now } = await call<{ columns: readonly { id: string; title: string }[] }>({
            method: 'GET',
            path: `${meta}/tables/${tableId}`,
          });
          const id = now.columns.find(({ title }) => title === `New ${turn}`)?.id ?? '';
          return { method: 'DELETE', path: `${meta}/columns/${id}` };
        },
        seen: (turn) => ({ within: heads, gone: `New ${turn}` }),
      },
      {
        name: 'column hidden',
        call: async () => ({ method: 'PATCH', path: await inView(), body: { show: false } }),
        seen: () => ({ within: heads, gone: 'Note' }),
      },
      {
        name: 'column shown again',
        call: async () => ({ method: 'PATCH', path: await inView(), body: { show: true } }),
        seen: () => ({ within: heads, there: 'Note' }),
      },
      {
        name: 'column width',
        call: async (turn) => ({
          method: 'PATCH',
          path: await inView(),
          body: { width: `${220 + turn * 10}px` },
        }),
        seen: (turn) => ({ within: heads, there: 'Note', width: 220 + turn * 10 }),
      },
      {
        name: 'sort',
        call: () => ({
          method: 'POST',
          path: `${meta}/views/${viewId}/sorts`,
          body: { fk_column_id: naming.id, direction: 'desc' },
        }),
        seen: () => ({ within: names, first: `Dog ${times - 1}` }),
        undo: ({ id }) => ({ method: 'DELETE', path: `${meta}/sorts/${id}` }),
      },
      {
        name: 'filter',
        call: () => ({
          method: 'POST',
          path: `${meta}/views/${viewId}/filters`,
          body: { fk_column_id: naming.id, comparison_op: 'eq', value: 'Bee', logical_op: 'and' },
        }),
        seen: () => ({ within: cells, there: 'Bee', gone: 'Cat' }),
        undo: ({ id }) => ({ method: 'DELETE', path: `${meta}/filters/${id}` }),
      },
      {
        name: 'view made',
        call: (turn) => ({
          method: 'POST',
          path: `${meta}/tables/${tableId}/grids`,
          body: { title: `Look ${turn}` },
        }),
        seen: (turn) => ({ there: `Look ${turn}` }),
        undo: ({ id }) => {
          made = id;
          return { method: 'PATCH', path: `${meta}/views/${id}`, body: { title: 'Made' } };
        },
      },
      {
        name: 'view renamed',
        call: (turn) => ({
          method: 'PATCH',
          path: `${meta}/views/${made}`,
          body: { title: `Renamed ${turn}` },
        }),
        seen: (turn) => ({ there: `Renamed ${turn}` }),
      },
      {
        name: 'project renamed',
        call: (turn) => ({
          method: 'PATCH',
          path: `${meta}/projects/${projectId}`,
          body: { title: `Work ${turn}` },
        }),
        seen: (turn) => ({ there: `Work ${turn}` }),
      },
      {
        name: 'plugin switched off',
        call: () => ({
          method: 'POST',
          path: '/api/v1/app-store/plugins/notification-center/disable',
          body: { cascade: ['row-comments'] },
        }),
        seen: () => ({ within: 'header .pi-bell', gone: '' }),
        undo: () => ({
          method: 'POST',
          path: '/api/v1/app-store/plugins/notification-center/enable',
          body: {},
        }),
      },
    ];
    for (const change of changes.filter(({ name }) => name.includes(options.only))) {
      const took: number[] = [];
      for (let turn = 0; turn < times; turn += 1) {
        const made = await change.call(turn);
        const seeing = seenAt(onlooker.page, change.seen(turn));
        // If the call is refused, its error is reported instead.
        seeing.catch(() => undefined);
        const answer = await call<{ readonly id: string }>(made);
        const reached = await Promise.race([seeing, setTimeout(20_000)]);
        if (typeof reached !== 'number') throw new Error(`“${change.name}” is not on the screen of B.`);
        // The live channel may be faster than the answer.
        took.push(Math.max(0, reached - answer.at));
        await setTimeout(rest);
        if (change.undo === undefined) continue;
        await call(change.undo(answer.data));
        await setTimeout(rest * 4);
      }
      print(change.name, medianAndWorst(took));
    }
    await onlooker.context.close();
  }

  /** How soon objects of plugins besides rows and views appear, observed from outside the page. */
  async function printObjectChanges(): Promise<void> {
    const onlooker = await newPerson(browser, url);
    await signIn(onlooker, url, email);
    const requests = watchRequests(onlooker.page);
    const changes = await objectChanges(url, await signedInClient(url, email));
    for (const change of changes.filter(({ name }) => name.includes(options.only))) {
      await change.open(onlooker.page);
      await requests.settled();
      const took: number[] = [];
      for (let turn = 0; turn < times; turn += 1) {
        await change.change(turn);
        const answered = Date.now();
        // Not earlier: the longer Playwright waits for something, the less often it checks.
        await change.shown(onlooker.page, turn).waitFor();
        took.push(Date.now() - answered);
        await setTimeout(rest);
      }
      print(change.name, medianAndWorst(took));
    }
    await onlooker.context.close();
  }

  /** How soon a first-time browser can sign in, and what it has loaded by then. */
  async function printFirstUse(): Promise<void> {
    print('\nA cold browser', 'form usable', 'requests', 'kB');
    for (const locale of ['en-GB', 'de-DE']) {
      const took: number[] = [];
      let asked = 0;
      let bytes = 0;
      for (let turn = 0; turn < times; turn += 1) {
        const context = await browser.newContext({ locale });
        const page = await context.newPage();
        const devtools = await context.newCDPSession(page);
        await devtools.send('Network.enable');
        asked = bytes = 0;
        devtools.on('Network.requestWillBeSent', () => {
          asked += 1;
        });
        devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
          bytes += encodedDataLength;
        });
        await page.goto(url, { waitUntil: 'commit' });
        took.push(
          await page.evaluate(async () => {
            const isUsable = () => document.activeElement?.matches('form input') === true;
            while (!isUsable()) await new Promise(requestAnimationFrame);
            return performance.now();
          }),
        );
        const [count, kilobytes] = [asked, Math.round(bytes / 1024)];
        await page.locator('input[type=password]').waitFor();
        await context.close();
        if (turn === times - 1) print(locale, medianAndWorst(took), String(count), String(kilobytes));
      }
    }
  }
} finally {
  await browser.close();
  await product.dispose();
}
