import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OutsideFolder, packSdkInto } from './outside-folder.ts';

const tarballs = mkdtempSync(join(tmpdir(), 'trellis-sdk-'));
/** Holds the SDK, what comes with it, and the copied examples. */
const outside = new OutsideFolder();
let ids: readonly string[] = [];
/** Those that were written to be read: they are no part of the product, so a server can run the copies. */
let written: readonly string[] = [];

beforeAll(() => {
  outside.installAlone('@trellis/sdk', packSdkInto(tarballs).sdk);
  const examples = join(outside.path, 'node_modules/@trellis/sdk/examples');
  ids = readdirSync(examples).toSorted();
  written = ids.filter((id) => id.startsWith('acme-'));
  for (const id of ids) {
    const folder = join(outside.path, id);
    cpSync(join(examples, id), folder, { recursive: true });
    const { devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly devDependencies: object;
    };
    outside.link(
      Object.keys(devDependencies).filter((name) => name !== '@trellis/sdk'),
      folder,
    );
  }
});

afterAll(() => {
  outside.dispose();
  rmSync(tarballs, { recursive: true, force: true });
});

describe('an example of the SDK, copied out of the package,', () => {
  // Those that were written to be read are built by their check.
  test('is built with the SDK and the packages that it names', () => {
    const others = ids.filter((id) => !written.includes(id));
    expect(others.length).toBeGreaterThan(20);
    const { output } = outside.trellisPlugin(['build', ...others]);
    expect(output.replaceAll(/^Built .* of '([a-z0-9-]+)' into .*$/gm, '$1')).toBe(`${others.join('\n')}\n`);
  });

  test('is typed by the SDK and the packages that it names, its tests and stories too', () => {
    const include = ids.map((id) => `${id}/**/*`);
    outside.write({
      'tsconfig.json': JSON.stringify({
        extends: '@trellis/sdk/tsconfig.json',
        include,
        exclude: ['*/dist'],
      }),
    });
    expect(outside.node(['node_modules/typescript/bin/tsc', '-p', '.'])).toEqual({ status: 0, output: '' });
  });

  test('passes its check, of those that were written to be read', () => {
    const looks = written.map((id) => `${id}\nok      manifest\nok      types\nok      imports\n`);
    expect(outside.trellisPlugin(['check', ...written])).toEqual({
      status: 0,
      output: `${looks.join('')}ok      promises\n`,
    });
  });

  // Their names of packages are what the copy could lack: a server and the pages show that. The repository runs all of them.
  test('runs its tests, of those that were written to be read', () => {
    const { status, output } = outside.trellisPlugin(['test', '/acme-(stickers/server|[a-z-]+/web)/']);
    const passed = [...output.matchAll(/^PASS \w+ (acme-[a-z-]+)\//gm)].map(([, id]) => id);
    expect([status, output.match(/^FAIL.*/gm)]).toEqual([0, null]);
    expect(passed).toEqual(expect.arrayContaining(['acme-stickers', 'acme-notes', 'acme-spread']));
  });
});
