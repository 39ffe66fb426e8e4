import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, OutsideFolder, packSdkInto } from './outside-folder.ts';

const tarballs = mkdtempSync(join(tmpdir(), 'trellis-sdk-'));
const outside = new OutsideFolder();
const kinds = readdirSync(resolve(import.meta.dirname, '../../sdk/templates')).sort();
let sdk: string;

beforeAll(() => {
  const packed = packSdkInto(tarballs);
  ({ sdk } = packed);
  outside.install('create-trellis-plugin', packed.create);
}, 120_000);

afterAll(() => {
  outside.dispose();
  rmSync(tarballs, { recursive: true, force: true });
});

function create(...args: string[]): Answer {
  return outside.node([join('node_modules/create-trellis-plugin/dist/create-trellis-plugin.mjs'), ...args]);
}

describe('create-trellis-plugin', () => {
  test.each(kinds)(
    'makes a plugin that passes its own check untouched, is tested, and packed: %s',
    (kind) => {
      const id = `acme-${kind}`;
      const folder = join(outside.path, id);
      expect(create(id, '--template', kind, '--sdk', `file:${sdk}`)).toMatchObject({ status: 0 });
      outside.install('@trellis/sdk', sdk, folder);
      expect(outside.trellisPlugin(['check'], folder)).toEqual({
        status: 0,
        output: 'ok      manifest\nok      types\nok      imports\nok      promises\n',
      });
      expect(outside.trellisPlugin(['test'], folder)).toMatchObject({
        status: 0,
        output: expect.stringMatching(/Tests: +\d+ passed, \d+ total/),
      });
      expect(outside.trellisPlugin(['pack'], folder)).toMatchObject({ status: 0 });
      expect(existsSync(join(folder, `${id}-0.1.0.tgz`))).toBe(true);
    },
  );

  test('writes the id and the name wherever the template has its own', () => {
    expect(create('acme-mood', '--template', 'column-type', '--name', 'Mood of Acme')).toMatchObject({
      status: 0,
    });
    const folder = join(outside.path, 'acme-mood');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const texts = files.map(
      ({ parentPath, name }) => `${name}\n${readFileSync(join(parentPath, name), 'utf8')}`,
    );
    expect(texts.join('\n')).not.toMatch(/my-?plugin/i);
    expect(JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8'))).toMatchObject({
      id: 'acme-mood',
      name: 'Mood of Acme',
      contributes: { columnTypes: [{ id: 'AcmeMood' }] },
    });
    const { version } = JSON.parse(
      readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8'),
    ) as {
      version: string;
    };
    expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toMatchObject({
      devDependencies: { '@trellis/sdk': `^${version}` },
    });
  });

  test('refuses what no plugin can be, and writes nothing', () => {
    expect(create('acme-x', '--template', 'nothing')).toMatchObject({
      status: 2,
      output: expect.stringContaining(`Templates: ${kinds.join(', ')}`),
    });
    expect(create('acme-x')).toMatchObject({ status: 2 });
    expect(create('Acme X', '--template', 'empty').output).toContain('is no id of a plugin');
    expect(create('acme-x', '--template', 'empty', '--name', "Acme's").output).toContain(
      'cannot be its name',
    );
    expect(existsSync(join(outside.path, 'acme-x'))).toBe(false);
    outside.write({ 'acme-full/notes.txt': 'mine' });
    expect(create('acme-full', '--template', 'empty')).toMatchObject({
      status: 1,
      output: expect.stringContaining('holds something already'),
    });
    expect(readdirSync(join(outside.path, 'acme-full'))).toEqual(['notes.txt']);
  });
});
