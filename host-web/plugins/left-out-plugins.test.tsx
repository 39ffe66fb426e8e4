import { expect, test } from '@jest/globals';
import { createWebHost } from '../app/create-web-host.ts';
import { LocalMirror } from '../store/local-mirror.ts';
import { signedInServer } from '../testing/signed-in-server.ts';
import { LeftOutPlugins } from './left-out-plugins.ts';

const acme = '/ext/acme/1.0.0~a/index.js';
const other = '/ext/other/1.0.0~a/index.js';
const seconds = 1000;
const day = 24 * 60 * 60 * seconds;

/** Pages of one browser, one after the other. */
function browser() {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  let time = 1_000_000;
  return {
    kept,
    wait: (milliseconds: number) => void (time += milliseconds),
    open(search = '') {
      const target = new EventTarget();
      const page = {
        location: { search } as Location,
        addEventListener: target.addEventListener.bind(target) as Window['addEventListener'],
        document: { visibilityState: 'visible' as DocumentVisibilityState },
      };
      return {
        plugins: new LeftOutPlugins({ page, storage, now: () => time }),
        leave: () => void target.dispatchEvent(new Event('pagehide')),
        show(state: DocumentVisibilityState) {
          page.document.visibilityState = state;
          target.dispatchEvent(new Event('visibilitychange'));
        },
      };
    },
  };
}

test('a build during whose start a page stood still is left out of the next one, for a day or until there is another', async () => {
  const { open, wait } = browser();
  await open().plugins.starts(acme);
  wait(20 * seconds);
  const next = open();
  expect([next.plugins.didHang(acme), next.plugins.didHang(acme.replace('~a', '~b'))]).toEqual([true, false]);
  wait(day / 2);
  expect(open().plugins.didHang(acme)).toBe(true);
  wait(day / 2);
  expect(open().plugins.didHang(acme)).toBe(false);
  next.leave();
});

test('who opens one page after the other does not keep the first from being noticed', async () => {
  const { open, wait } = browser();
  for (let page = 0; page < 3; page += 1) {
    const { plugins } = open();
    expect(plugins.didHang(acme)).toBe(false);
    await plugins.starts(acme);
    wait(4 * seconds);
  }
  expect(open().plugins.didHang(acme)).toBe(true);
});

test('a build that has started, or whose page was left while it did, is not left out', async () => {
  const { open, wait } = browser();
  const done = open();
  await done.plugins.starts(acme);
  await done.plugins.starts(other);
  done.plugins.started();
  const left = open();
  await left.plugins.starts(acme);
  left.leave();
  wait(day / 4);
  expect([open().plugins.didHang(acme), open().plugins.didHang(other)]).toEqual([false, false]);
});

test('a page in the background, whose timers a browser holds back, is not taken for one that stands still', async () => {
  const { open, wait } = browser();
  const page = open();
  await page.plugins.starts(acme);
  page.show('hidden');
  wait(90 * seconds);
  expect(open().plugins.didHang(acme)).toBe(false);
  page.show('visible');
  wait(5 * seconds);
  expect(open().plugins.didHang(acme)).toBe(false);
  wait(20 * seconds);
  expect(open().plugins.didHang(acme)).toBe(true);
  page.leave();
});

test('what starts in the background is watched from when somebody sees the page', async () => {
  const { open, wait } = browser();
  const page = open();
  page.show('hidden');
  await page.plugins.starts(acme);
  wait(90 * seconds);
  expect(open().plugins.didHang(acme)).toBe(false);
  page.show('visible');
  wait(20 * seconds);
  expect(open().plugins.didHang(acme)).toBe(true);
  page.leave();
});

test('only the one that was starting is laid at the door of', async () => {
  const { open, wait } = browser();
  const { plugins } = open();
  await plugins.starts(acme);
  await plugins.starts(other);
  wait(20 * seconds);
  expect([open().plugins.didHang(acme), open().plugins.didHang(other)]).toEqual([false, true]);
});

test('what somebody else wrote there changes nothing', () => {
  const { open, kept } = browser();
  for (const text of ['{', 'null', '7', '{"x":{}}', '[]']) {
    for (const key of ['trellis.plugins-starting', 'trellis.plugins-hung']) kept.set(key, text);
    expect(open().plugins.didHang(acme)).toBe(false);
  }
});

test('a page whose address says so does without plugins from elsewhere, and has the others', async () => {
  const entry = (id: string, url: string) => ({ id, manifest: { version: '1.0.0' }, url });
  const server = signedInServer([entry('ours', '/assets/ours.js'), entry('acme', acme)]);
  const imported: string[] = [];
  const { sync } = createWebHost({
    transport: server.transport,
    mirror: new LocalMirror(undefined),
    embedded: false,
    leftOut: browser().open('?without-plugins').plugins,
    importModule(url) {
      imported.push(url);
      return Promise.resolve({ default: { setup: () => undefined } });
    },
  });
  await sync.start(() => Promise.resolve([]));
  await sync.started;
  expect(imported).toEqual(['/assets/ours.js']);
});

test('a half from elsewhere runs only once those before it have started', async () => {
  const entry = (id: string, url: string) => ({ id, manifest: { version: '1.0.0' }, url });
  const server = signedInServer([entry('acme', acme), entry('other', other)]);
  const happened: string[] = [];
  const { sync, plugins } = createWebHost({
    transport: server.transport,
    mirror: new LocalMirror(undefined),
    embedded: false,
    leftOut: browser().open().plugins,
    importModule(url) {
      happened.push(url);
      return Promise.resolve({ default: { setup: () => void happened.push('set up') } });
    },
  });
  await sync.start(() => Promise.resolve([]));
  await sync.started;
  expect(happened).toEqual([acme, 'set up', other, 'set up']);
  expect([plugins.state('acme'), plugins.state('other')]).toEqual(['enabled', 'enabled']);
});
