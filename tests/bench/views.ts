/**
 * Prints the cost of opening each kind of view of a table of 1,000,000 rows, and whether a form stores everything that strangers
 * send 50 times a second. It has no limits.
 *
 *   node tests/run-typescript.mjs tests/bench/views.ts [--rows=100000] [--seconds=60] [--pictures=/tmp/views] [--only=form]
 *
 * Chromium opens each view; the output lists the page's calls for rows, and the server's processor time meanwhile (CPU ms of all
 * threads; the page's own files are loaded before). The calls are then repeated alone, next to equivalent handwritten SQL on the
 * same file in this process, because the server caches some answers for a moment. Finally a card is dragged. `--pictures` saves
 * screenshots in two sizes and two themes.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import SqliteFile from 'better-sqlite3';
import { chromium, type Page } from 'playwright-core';
import type { TableEntity } from '@trellis/sdk/shared';
import { sqliteIn } from './bench-database.ts';
import { send } from './load.ts';
import { startServer } from './server-process.ts';

const root = process.cwd();
const product = join(root, 'dist/server/main.mjs');
const option = (name: string): string | undefined =>
  process.argv.find((text) => text.startsWith(`--${name}=`))?.slice(name.length + 3);
const rows = Number(option('rows') ?? 1_000_000);
const seconds = Number(option('seconds') ?? 60);
const pictures = option('pictures');
const perSecond = 50;
const repeats = 15;
/** Milliseconds after which the server asks the database again. */
const forgotten = 6000;
const moves = 10;
const credentials = { email: 'bench@example.com', password: 'Passw0rd!' };
const meta = '/api/v1/db/meta';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

const choice = (title: string, color: string) => ({ id: `sl_${title}`, title, color });
const columns = [
  { title: 'Id', uidt: 'ID' },
  { title: 'Name', column_name: 'name', uidt: 'SingleLineText', pv: true },
  {
    title: 'State',
    column_name: 'state',
    uidt: 'SingleSelect',
    meta: {
      options: [choice('open', '#cfdffe'), choice('doing', '#fee2d5'), choice('done', '#d1f7c4')],
    },
  },
  { title: 'Amount', column_name: 'amount', uidt: 'Number' },
  { title: 'From', column_name: 'starts', uidt: 'Date' },
  { title: 'To', column_name: 'ends', uidt: 'Date' },
  { title: 'Notes', column_name: 'notes', uidt: 'LongText' },
];

/** A view, and the SQL that reads what its page shows first. */
interface Opened {
  readonly kind: string;
  readonly id: string;
  readonly sql: readonly string[];
}

/** A call for rows as the page made it. */
interface Seen {
  readonly method: 'GET' | 'POST';
  readonly path: string;
}

async function callsOf(page: Page, address: string): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  const note = (request: { method(): string; url(): string }): void => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/v1/db/data/') && request.method() === 'GET')
      seen.push({ method: 'GET', path: pathname + search });
  };
  page.on('request', note);
  await page.goto('about:blank');
  await page.goto(address);
  await page.locator('[aria-label*=", view "]').first().waitFor();
  await page.waitForLoadState('networkidle');
  page.off('request', note);
  return seen;
}

async function keepPictures(page: Page, name: string, address: string): Promise<void> {
  if (pictures === undefined) return;
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.goto('about:blank');
      await page.goto(address);
      await page.locator('[aria-label*=", view "]').first().waitFor();
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: `${pictures}-${name}-${width}-${colorScheme}.png` });
    }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

async function main(folder: string): Promise<void> {
  const database = sqliteIn(folder);
  await promisify(execFile)(process.execPath, [join(root, 'host-server/build/build-command.mjs')], {
    cwd: root,
  });
  const env = { PORT: '0', TRELLIS_DATA_DIR: folder, TRELLIS_LOG_LEVEL: 'error', ...database.env };
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let server = await startServer([product], env);
  let headers: Readonly<Record<string, string>> = {};
  const ask = async <Body>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<Body> => {
    const call = { method: method as 'GET', path, ...(body !== undefined && { body }) };
    const text = await send({ port: server.port, headers }, agent, call);
    return (text === '' ? undefined : JSON.parse(text)) as Body;
  };
  const { token } = await ask<{ token: string }>('POST', '/api/v1/auth/user/signup', credentials);
  headers = { 'xc-auth': token };
  /** A server listens before its slower plugins have started. */
  const settled = async (): Promise<void> => {
    while (JSON.stringify(await ask('GET', '/api/v1/app-store/plugins')).includes('"starting"'))
      await delay(200);
  };
  await settled();
  const project = (await ask<{ id: string }>('POST', `${meta}/projects`, { title: 'Bench' })).id;
  const table = await ask<TableEntity>('POST', `${meta}/projects/${project}/tables`, {
    title: 'Tasks',
    columns,
  });
  const idOf = (title: string) => table.columns?.find((column) => column.title === title)?.id ?? '';
  const make = async (plural: string, body: object) =>
    (await ask<{ id: string }>('POST', `${meta}/tables/${table.id}/${plural}`, { title: plural, ...body }))
      .id;
  const name = `"${table.table_name}"`;
  const page = `select * from ${name} order by id limit 100`;
  const count = `select count(*) from ${name}`;
  const month = new Date().toISOString().slice(0, 7);
  const inMonth = `from ${name} where starts <= '${month}-31' and coalesce(ends, starts) >= '${month}-01'`;
  const views: readonly Opened[] = [
    { kind: 'grid', id: await make('grids', {}), sql: [page, count] },
    { kind: 'gallery', id: await make('galleries', {}), sql: [page, count] },
    {
      kind: 'kanban',
      id: await make('kanbans', { fk_grp_col_id: idOf('State') }),
      sql: [
        `select state, count(*) from ${name} group by state`,
        ...['open', 'doing', 'done'].map(
          (state) => `select * from ${name} where state = '${state}' order by id limit 25`,
        ),
      ],
    },
    {
      kind: 'calendar',
      id: await make('calendars', { meta: { ranges: [{ fromId: idOf('From'), toId: idOf('To') }] } }),
      sql: [`select * ${inMonth} limit 1000`, `select count(*) ${inMonth}`],
    },
    {
      kind: 'timeline',
      id: await make('timelines', { meta: { fromId: idOf('From'), toId: idOf('To'), zoom: 'week' } }),
      sql: [`select * ${inMonth} limit 1000`, `select count(*) ${inMonth}`],
    },
    { kind: 'form', id: await make('forms', {}), sql: [] },
  ];
  const form = views.at(-1)?.id ?? '';
  const { uuid } = await ask<{ uuid: string }>('POST', `${meta}/views/${form}/share`, {});
  await ask('PATCH', `${meta}/forms/${form}`, { meta: { mostPerMinute: 3600 } });
  await server.stop();
  // Two years around today, a few days each.
  await database.execute([
    `insert into ${name} (name, state, amount, starts, ends, notes)
       select 'Task ' || n, case n % 10 when 0 then 'done' when 1 then 'doing' else 'open' end, n % 977,
         date('now', ((n * 7919) % 730 - 365) || ' days'),
         date('now', ((n * 7919) % 730 - 365 + n % 5) || ' days'),
         'What is to be done about number ' || n
       from numbers(${rows})`,
  ]);
  server = await startServer([product], env);
  await settled();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const plain = new SqliteFile(join(folder, 'trellis.db'), { readonly: true });
  try {
    const window = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await window.goto(`http://127.0.0.1:${server.port}/#/user/authentication/signin`);
    await window.getByLabel('E-mail').fill(credentials.email);
    await window.getByLabel('Password', { exact: true }).fill(credentials.password);
    await window.getByRole('button', { name: 'Sign in' }).click();
    await window.getByRole('heading', { name: 'My Projects' }).waitFor();
    print(`${rows} rows; each call ${repeats} times, one after another; ms are medians.`);
    print('view      calls  CPU ms      ms    KB   plain SQL ms  ratio  slowest call');
    for (const { kind, id, sql } of views) {
      if (option('only') !== undefined && option('only') !== kind) continue;
      const address = `http://127.0.0.1:${server.port}/#/nc/${project}?name=Tasks&dbalias=${table.id}&type=table&view=${id}`;
      // The page's and plugins' files are loaded, and the schema is read.
      if (kind === 'grid') await callsOf(window, address);
      await delay(forgotten);
      const before = await server.computed();
      const calls = await callsOf(window, address);
      const computed = (await server.computed()) - before;
      await keepPictures(window, kind, address);
      const costs: { readonly path: string; readonly ms: number; readonly bytes: number }[] = [];
      for (const { path, method } of calls) {
        const times: number[] = [];
        let bytes = 0;
        for (let at = 0; at < repeats; at++) {
          const began = performance.now();
          bytes = (await send({ port: server.port, headers }, agent, { method, path })).length;
          times.push(performance.now() - began);
        }
        costs.push({ path, ms: median(times), bytes });
      }
      const bare = sql.map((text) => {
        const statement = plain.prepare(text).raw();
        const times = Array.from({ length: repeats }, () => {
          const began = performance.now();
          JSON.stringify(statement.all());
          return performance.now() - began;
        });
        return median(times);
      });
      const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
      const took = sum(costs.map(({ ms }) => ms));
      const slowest = costs.toSorted((a, b) => b.ms - a.ms)[0];
      print(
        [
          kind.padEnd(9),
          String(calls.length).padStart(5),
          (computed * 1000).toFixed(0).padStart(7),
          took.toFixed(1).padStart(8),
          (sum(costs.map(({ bytes }) => bytes)) / 1024).toFixed(0).padStart(6),
          sum(bare).toFixed(1).padStart(12),
          (sql.length === 0 ? '–' : (took / sum(bare)).toFixed(2)).padStart(8),
          `  ${slowest === undefined ? '' : `${slowest.ms.toFixed(1)} ms ${decodeURIComponent(slowest.path).slice(0, 160)}`}`,
        ].join(' '),
      );
    }
    if ([undefined, 'kanban'].includes(option('only'))) {
      await dragCards(window, views[2]?.id ?? '');
      await scrollStack(window);
    }
    await browser.close();
    await answerForm(uuid);
  } finally {
    plain.close();
    await browser.close();
    await server.stop();
    agent.destroy();
  }

  /** From dropping a card until the server has answered. */
  async function dragCards(window: Page, view: string): Promise<void> {
    await window.goto('about:blank');
    await window.goto(
      `http://127.0.0.1:${server.port}/#/nc/${project}?name=Tasks&dbalias=${table.id}&type=table&view=${view}`,
    );
    const stack = (title: string) => window.getByRole('region', { name: title, exact: true });
    const center = async (title: string) => {
      const card = stack(title).getByRole('article').first();
      await card.waitFor();
      const box = await card.boundingBox();
      return { x: (box?.x ?? 0) + 100, y: (box?.y ?? 0) + 20 };
    };
    const times: number[] = [];
    const before = await server.computed();
    for (let at = 0; at < moves; at++) {
      const [from, to] = [await center('doing'), await center('done')];
      await window.mouse.move(from.x, from.y);
      await window.mouse.down();
      await window.mouse.move(to.x, to.y, { steps: 5 });
      const saved = window.waitForResponse((response) => response.request().method() !== 'GET');
      const began = performance.now();
      await window.mouse.up();
      await saved;
      times.push(performance.now() - began);
      await delay(1500);
    }
    const computed = ((await server.computed()) - before) * 1000;
    print(
      `kanban: a card let go is saved after ${median(times).toFixed(0)} ms, ${(computed / moves).toFixed(0)} ms of CPU with what is read again; slowest ${Math.max(...times).toFixed(0)} ms`,
    );
  }

  /** Ten seconds of a steady wheel over the longest stack, and jumps to its middle and its end. */
  async function scrollStack(window: Page): Promise<void> {
    const stack = window.getByRole('region', { name: 'open', exact: true });
    const scroller = stack.locator('.kanban-box');
    await stack.getByRole('article').first().hover();
    let calls = 0;
    const note = (request: { url(): string }): void => {
      if (new URL(request.url()).pathname.startsWith('/api/v1/db/data/')) calls += 1;
    };
    window.on('request', note);
    const frames = scroller.evaluate(async (box) => {
      const times: number[] = [];
      let blank = 0;
      let last = await new Promise<number>(requestAnimationFrame);
      const end = last + 10_000;
      while (last < end) {
        const now = await new Promise<number>(requestAnimationFrame);
        times.push(now - last);
        last = now;
        const { left, top, height } = box.getBoundingClientRect();
        const card = document.elementFromPoint(left + 40, top + height / 2)?.closest('[role=listitem]');
        if (card !== null && card?.textContent === '') blank += 1;
      }
      return { times: times.toSorted((a, b) => a - b), blank };
    });
    const began = performance.now();
    for (let notch = 0; notch < 600; notch++) {
      await delay(Math.max(0, began + (notch * 1000) / 60 - performance.now()));
      await window.mouse.wheel(0, 120);
    }
    const { times, blank } = await frames;
    const wheelCalls = calls;
    /** Milliseconds from a jump until the card in the middle of the screen is drawn. */
    const jump = (share: number) =>
      scroller.evaluate(async (box, to) => {
        const from = performance.now();
        box.scrollTop = box.scrollHeight * to;
        const { left, top, height } = box.getBoundingClientRect();
        for (;;) {
          await new Promise(requestAnimationFrame);
          const card = document.elementFromPoint(left + 40, top + height / 2)?.closest('[role=listitem]');
          if ((card?.textContent ?? '') !== '') return performance.now() - from;
        }
      }, share);
    const jumps = [await jump(0.5), await jump(1)];
    window.off('request', note);
    const at = (part: number) => (times[Math.floor(times.length * part)] ?? 0).toFixed(0);
    print(
      `kanban: a wheel for 10 s over ${await scroller.getByRole('listitem').first().getAttribute('aria-setsize')} cards: ${times.length} frames, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, ${blank} with an empty card in the middle, ${wheelCalls} calls; ` +
        `jumps to the middle and the end ${jumps.map((ms) => ms.toFixed(0)).join(' and ')} ms`,
    );
  }

  /** Sends strangers' answers at a steady rate, regardless of the server; then looks for each acknowledged one. */
  async function answerForm(link: string): Promise<void> {
    const path = `/api/v1/db/public/shared-view/${link}/rows`;
    const stranger = { port: server.port, headers: {} };
    const times: number[] = [];
    const taken: string[] = [];
    const refused = new Map<string, number>();
    const sent: Promise<void>[] = [];
    const began = performance.now();
    for (let at = 0; at < perSecond * seconds; at++) {
      await delay(Math.max(0, began + (at * 1000) / perSecond - performance.now()));
      const Name = `Answer ${at}`;
      const from = performance.now();
      sent.push(
        send(stranger, agent, {
          method: 'POST',
          path,
          body: { data: { Name, State: 'open', Amount: at } },
        }).then(
          () => {
            times.push(performance.now() - from);
            taken.push(Name);
          },
          (error: unknown) => {
            const reason = error instanceof Error ? error.message.replace(/^.*answered with /, '') : '?';
            refused.set(reason.slice(0, 80), (refused.get(reason.slice(0, 80)) ?? 0) + 1);
          },
        ),
      );
    }
    await Promise.all(sent);
    const there = new Set(
      (plain.prepare(`select name from ${name} where name like 'Answer %'`).raw().all() as string[][]).flat(),
    );
    const lost = taken.filter((text) => !there.has(text)).length;
    const ordered = times.toSorted((a, b) => a - b);
    print(
      `form: ${perSecond} a second for ${seconds} s: ${taken.length} taken, ${sent.length - taken.length} refused, ${lost} lost, ${there.size - taken.length} more rows than answers; ` +
        `p50 ${median(times).toFixed(1)} ms, p95 ${(ordered[Math.floor(ordered.length * 0.95)] ?? 0).toFixed(1)} ms, longest ${(ordered.at(-1) ?? 0).toFixed(0)} ms`,
    );
    for (const [reason, often] of refused) print(`  refused ${often} times: ${reason}`);
  }
}

const folder = await mkdtemp(join(tmpdir(), 'trellis-views-'));
try {
  await main(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
