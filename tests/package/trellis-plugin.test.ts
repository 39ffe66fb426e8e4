import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testManifest } from '../../sdk/testing/test-manifest.ts';
import { type Answer, OutsideFolder, packSdkInto } from './outside-folder.ts';

const tarballs = mkdtempSync(join(tmpdir(), 'trellis-sdk-'));
const outside = new OutsideFolder();
const id = 'acme-mood';
const folder = join(outside.path, id);

/** What a check that was killed leaves in the folder, with the id of a process that no system gives. */
const forsaken = '.trellis-check-999999999/promises.test.ts';

const manifest = {
  ...testManifest(id, 'Mood'),
  contributes: { columnTypes: [{ id: 'AcmeMood' }], commands: [{ id: 'acme.smile' }] },
};

/** A manifest and a web half without a column type, which is tried on a server where it is not what a test is about. */
const commandManifest = { ...testManifest(id, 'Mood'), contributes: { commands: [{ id: 'acme.smile' }] } };
const commandAlone = `
  import { defineWebPlugin } from '@trellis/sdk/web';
  export default defineWebPlugin({
    setup: (ctx) => void ctx.register('commands', { id: 'acme.smile', label: 'Smile', run: () => undefined }),
  });`;

/** Writes the plugin as it is right, and over it what a test wants otherwise. */
function write(files: Readonly<Record<string, string>> = {}): void {
  for (const name of ['server', 'shared', 'web', 'dist', 'README.md'])
    rmSync(join(folder, name), { recursive: true, force: true });
  const right = {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': '{ "extends": "@trellis/sdk/tsconfig.json" }',
    'plugin.json': JSON.stringify(manifest, undefined, 2),
    'README.md': '# Mood',
    'shared/mood.ts': `
      import { defineColumnType } from '@trellis/sdk/shared';
      export const mood = defineColumnType<string>({
        id: 'AcmeMood',
        label: 'Mood',
        icon: 'tag',
        storage: 'string',
        fallback: 'SingleLineText',
        accepts: ['string'],
        operators: ['eq'],
        examples: [{ input: 'glad', value: 'glad' }],
        parse: (input) => ({ ok: true, value: input === null || input === '' ? null : String(input) }),
        format: (value) => value ?? '',
      });`,
    'server/index.ts': `
      import { defineServerPlugin } from '@trellis/sdk/server';
      import { mood } from '../shared/mood.ts';
      export default defineServerPlugin({ setup: (ctx) => void ctx.register('columnTypes', mood) });`,
    'web/index.tsx': `
      import { defineWebColumnType, defineWebPlugin } from '@trellis/sdk/web';
      import { mood } from '../shared/mood.ts';
      export default defineWebPlugin({
        setup(ctx) {
          ctx.register('columnTypes', defineWebColumnType({ ...mood, Editor: 'text' }));
          ctx.register('commands', { id: 'acme.smile', label: 'Smile', run: () => undefined });
        },
      });`,
    ...files,
  };
  outside.write(Object.fromEntries(Object.entries(right).map(([file, text]) => [join(id, file), text])));
}

const run = (...args: string[]): Answer => outside.trellisPlugin(args, folder);

beforeAll(() => {
  write();
  const { sdk: tarball } = packSdkInto(tarballs);
  outside.install('@trellis/sdk', tarball, folder);
});

afterAll(() => {
  outside.dispose();
  rmSync(tarballs, { recursive: true, force: true });
});

describe('trellis-plugin check', () => {
  test('passes a plugin that is right, and leaves its folder as it was', () => {
    write();
    const before = readdirSync(folder);
    outside.write({ [join(id, forsaken)]: `throw new Error('A check was killed.');` });
    expect(run('check')).toEqual({
      status: 0,
      output: 'ok      manifest\nok      types\nok      imports\nok      promises\n',
    });
    expect(readdirSync(folder)).toEqual(before);
  });

  test('tells all that is wrong at once, and does not try what does not build', () => {
    write({
      'plugin.json': JSON.stringify({ ...manifest, contributes: { columnTypes: [{ id: 'AcmeMood' }] } }),
      'server/wrong.ts': 'export const wrong: number = "glad";',
      'web/files.ts': `import { readFileSync } from 'node:fs'; export const read = readFileSync;`,
      'web/index.tsx': `
        import { defineWebPlugin } from '@trellis/sdk/web';
        import { read } from './files.ts';
        export default defineWebPlugin({
          setup: (ctx) => void ctx.register('commands', { id: 'acme.smile', label: read.name, run: () => undefined }),
        });`,
    });
    const { status, output } = run('check');
    expect(status).toBe(1);
    expect(output).toContain('ok      manifest');
    expect(output).toContain('server/wrong.ts:1:14: error TS2322');
    expect(output).toContain("web/files.ts:1:30 imports 'node:fs', which browsers do not have");
    expect(output).not.toMatch(/RolldownError|Build failed/);
    expect(output).toMatch(
      /FAILED {2}imports\n {2}[^\n]*\nskipped promises: what does not build cannot be tried\n$/,
    );
  });

  test('tells which hooks are tapped without being listed or listed without being tapped, and writes them; and which table is made unlisted', () => {
    const server = `
      import { defineServerPlugin } from '@trellis/sdk/server';
      import { guard } from './guard.ts';
      export default defineServerPlugin({ setup: guard });`;
    const guard = `
      import type { ServerPluginContext } from '@trellis/sdk/server';
      export function guard(ctx: ServerPluginContext): void {
        ctx.tap('rows.willCreate', () => undefined);
        ctx.tap('rows.didChange', () => undefined);
      }`;
    const listing = {
      ...commandManifest,
      contributes: { ...commandManifest.contributes, hooks: ['rows.willDelete'] },
    };
    const text = JSON.stringify(listing, undefined, 2);
    const halves = { 'server/index.ts': server, 'server/guard.ts': guard, 'web/index.tsx': commandAlone };
    write({ 'plugin.json': text, ...halves });
    const { status, output } = run('check');
    expect(status).toBe(1);
    expect(output).toMatch(/plugin\.json:\d+:5 The plugin taps 'rows\.willCreate'.*'check --write'/);
    expect(output).toMatch(/plugin\.json:\d+:7 The plugin taps 'rows\.willDelete' nowhere/);
    expect(output).toMatch(/FAILED {2}promises[^]*contributes\.hooks/);
    expect(output).not.toContain("taps 'rows.didChange'");

    const { contributes, ...none } = commandManifest;
    const others = { bare: { ...none, contributes }, keeping: { ...none, contributes }, none };
    const keeping = server.replace(
      'setup: guard',
      `setup: guard,
        migrations: [{ id: '001', up: (schema) => schema.createTable('mood', { columns: {}, key: [] }) }]`,
    );
    for (const [name, bare] of Object.entries(others)) {
      const files = {
        ...halves,
        ...(name === 'keeping' && { 'server/index.ts': keeping }),
        'plugin.json': JSON.stringify(bare, undefined, 2),
      };
      for (const [file, code] of Object.entries(files)) outside.write({ [join(id, name, file)]: code });
      cpSync(join(folder, 'tsconfig.json'), join(folder, name, 'tsconfig.json'));
    }
    const writing = run('check', '--write', '.', ...Object.keys(others));
    // The page registers a command of which the last one says nothing, and a table that no manifest lists is not made.
    expect([writing.status, writing.output]).toEqual([
      1,
      expect.stringMatching(
        /^\.\n[^]*\nbare\n[^]*\nkeeping\n[^]*\nnone\n[^]*FAILED {2}promises[^]*acme\.smile/,
      ),
    ]);
    expect(writing.output).toContain("The migration '001' of plugin");
    expect(writing.output).toContain("makes the table 'mood', which its manifest does not list");
    const written = (name: string) => readFileSync(join(folder, name, 'plugin.json'), 'utf8');
    expect(written('.')).toBe(text.replace(/\[\s+"rows\.willDelete"\s+\]/, '["rows.willCreate"]'));
    for (const name of Object.keys(others)) {
      expect(JSON.parse(written(name))).toMatchObject({ contributes: { hooks: ['rows.willCreate'] } });
      rmSync(join(folder, name), { recursive: true });
    }
  });

  test('tries each column type by its own examples, and tells of a filter operator that is not there by its name', () => {
    write();
    const type = readFileSync(join(folder, 'shared/mood.ts'), 'utf8');
    const others = {
      // Nothing of this one can be looked at.
      'empty/plugin.json': '{}',
      'other/plugin.json': JSON.stringify(manifest),
      'other/shared/mood.ts': type.replace("'eq'", "'equals'"),
      ...Object.fromEntries(
        ['tsconfig.json', 'server/index.ts', 'web/index.tsx'].map((file) => [
          `other/${file}`,
          readFileSync(join(folder, file), 'utf8'),
        ]),
      ),
    };
    write({ 'shared/mood.ts': type.replace("format: (value) => value ?? ''", 'format: () => "always"') });
    for (const [file, text] of Object.entries(others)) outside.write({ [join(id, file)]: text });
    const { status, output } = run('check', 'empty', '.', 'other');
    for (const name of ['empty', 'other']) rmSync(join(folder, name), { recursive: true });
    expect(status).toBe(1);
    const well = 'ok {6}manifest\\nok {6}types\\nok {6}imports';
    expect(output).toMatch(
      new RegExp(`^empty\\nFAILED {2}manifest\\n[^]*\\n\\.\\n${well}\\nother\\n${well}\\nFAILED {2}promises`),
    );
    expect(output).toMatch(/column type AcmeMood on sqlite[^]*"always"/);
    expect(output).toContain('"operator": "equals"');
    expect(output).toContain('FILTER_OPERATOR');
  });

  test.each([
    ['a key', { descripton: 'x' }, /^ {2}plugin\.json:\d+:3 .*'descripton'.*did you mean 'description'\?$/m],
    ['a key below', { engines: { treliss: '*' } }, /plugin\.json:\d+:5 .*did you mean 'trellis'\?/],
    [
      'a registry',
      { contributes: { columTypes: [] } },
      /'columTypes' is no registry; did you mean 'columnTypes'\?/,
    ],
    [
      'a version',
      { version: 'one' },
      /plugin\.json:\d+:14 'version' must be a semantic version such as 1\.0\.0\./,
    ],
    [
      'an id',
      { id: 'AcmeMood' },
      /plugin\.json:\d+:9 'id' must be lower-case words between hyphens, such as 'acme-mood'\./,
    ],
    [
      'a keyword of settings',
      { settings: { type: 'object', properties: { a: { type: 'string', maxLenght: 3 } } } },
      /plugin\.json:\d+:\d+ .*is not a keyword of .*; did you mean 'maxLength'\?$/m,
    ],
    [
      'a default of a setting',
      { settings: { type: 'object', properties: { a: { type: 'integer', minimum: 1, default: 0 } } } },
      /plugin\.json:\d+:20 The default of 'a' must be at least 1: its own schema refuses it\./,
    ],
    [
      'a default within a list of settings',
      {
        settings: {
          type: 'object',
          properties: { a: { type: 'array', items: { type: 'string' }, default: ['b', 3] } },
        },
      },
      /plugin\.json:\d+:\d+ The default of 'a' must be a text at '\/1': its own schema refuses it\./,
    ],
    [
      'a keyword of the product in settings',
      { settings: { type: 'object', properties: { a: { type: 'string', 'x-pages': true } } } },
      /plugin\.json:\d+:\d+ 'x-pages' is no keyword of settings; did you mean 'x-page'\?/,
    ],
    [
      'a key of how a setting is shown',
      {
        settings: { type: 'object', properties: { a: { type: 'string', 'x-ui': { placeholdr: 'b' } } } },
      },
      /plugin\.json:\d+:\d+ 'placeholdr' is no key of 'x-ui'; did you mean 'placeholder'\?/,
    ],
    [
      'a label that stands for two values of a setting',
      {
        settings: {
          type: 'object',
          properties: { a: { enum: ['b', 'c'], 'x-ui': { labels: ['Bee', 'Bee'] } } },
        },
      },
      /plugin\.json:\d+:\d+ 'Bee' is the label of two values of 'a'; people cannot tell them apart\./,
    ],
    [
      'labels of a setting that are not as many as its values',
      {
        settings: { type: 'object', properties: { a: { enum: ['b', 'c'], 'x-ui': { labels: ['Bee'] } } } },
      },
      /plugin\.json:\d+:\d+ 'labels' has 1 text for 2 values of 'a'; write one for each, in their order\./,
    ],
    [
      'another setting by which one is shown',
      {
        settings: {
          type: 'object',
          properties: {
            method: { enum: ['b', 'c'] },
            a: { type: 'string', 'x-ui': { when: { property: 'metod', oneOf: ['b'] } } },
          },
        },
      },
      /plugin\.json:\d+:\d+ 'metod' is no setting beside 'a'; did you mean 'method'\?/,
    ],
    [
      'a capability',
      { permissions: ['netwrok'] },
      /plugin\.json:\d+:5 'netwrok' is no capability of the product; did you mean 'network'\?/,
    ],
    [
      'the name of an icon',
      { icon: 'haert' },
      /plugin\.json:\d+:11 The icon 'haert' is neither .* nor a file of the plugin; did you mean 'heart'\?/,
    ],
    [
      'the file of an icon',
      { icon: 'mood.svg' },
      /plugin\.json:\d+:11 The icon 'mood\.svg' is no file of the plugin\./,
    ],
    [
      'a key of what it adds',
      { contributes: { commands: [{ id: 'acme.smile', lable: 'Smile' }] } },
      /plugin\.json:\d+:9 'lable' of 'acme\.smile' is a key that nothing reads; did you mean 'label'\?/,
    ],
    [
      'the storage of a column type',
      { contributes: { columnTypes: [{ id: 'AcmeMood', storage: 'strng' }] } },
      /plugin\.json:\d+:20 'strng' is no kind of storage; did you mean 'string'\?/,
    ],
    [
      'the fallback of a column type',
      { contributes: { columnTypes: [{ id: 'AcmeMood', fallback: 'SingelLineText' }] } },
      /plugin\.json:\d+:21 The fallback 'SingelLineText' is no column type; did you mean 'SingleLineText'\?/,
    ],
    [
      'a registry that a page shows',
      { contributes: { pages: [{ id: '/moods', shows: ['columTypes'] }] } },
      /plugin\.json:\d+:\d+ 'columTypes' is no registry; did you mean 'columnTypes'\?/,
    ],
    [
      'a category',
      { category: 'colum' },
      /plugin\.json:\d+:15 'colum' is no category; did you mean 'column'\?/,
    ],
    [
      'a range of products',
      { engines: { trellis: '^9.0.0' } },
      /plugin\.json:\d+:16 The product of this SDK is 1\.0\.0, which '\^9\.0\.0' leaves out/,
    ],
    [
      'a contract',
      { sdk: 2 },
      /plugin\.json:\d+:10 'sdk' is the number of the contract, and that of this SDK is 1/,
    ],
    [
      'a plugin that it needs',
      { dependencies: { 'column-basic': '^1.0.0' } },
      /plugin\.json:\d+:5 'column-basic' is no plugin of the product; did you mean 'columns-basic'\?/,
    ],
    [
      'a version that it needs',
      { dependencies: { 'columns-basic': '^2.0.0' } },
      /plugin\.json:\d+:22 'columns-basic' is 1\.0\.0 in the product of this SDK, which '\^2\.0\.0' leaves out/,
    ],
    [
      'a kind of file that nothing reads',
      { contributes: { ...manifest.contributes, importFormats: [{ id: 'acme-lines' }] } },
      /plugin\.json:\d+:15 'acme-lines' would be offered .*'contributes\.importers' has no item of that id\./,
    ],
  ])('names the place of %s that is wrong in the manifest', (_what, change, message) => {
    write({ 'plugin.json': JSON.stringify({ ...manifest, ...change }, undefined, 2) });
    const { status, output } = run('check');
    expect([status, output]).toEqual([1, expect.stringMatching(message)]);
    expect(output).not.toContain('types');
  });

  test('says which kind of file the page does not offer', () => {
    const contributes = { ...commandManifest.contributes, importers: [{ id: 'acme-lines' }] };
    write({
      'plugin.json': JSON.stringify({ ...commandManifest, contributes }, undefined, 2),
      'web/index.tsx': commandAlone,
      'server/index.ts': `
        import { defineServerPlugin } from '@trellis/sdk/server';
        export default defineServerPlugin({
          setup(ctx) {
            ctx.register('importers', {
              id: 'acme-lines',
              label: 'Lines',
              extensions: ['txt'],
              mediaTypes: ['text/plain'],
              async *read() {},
            });
          },
        });`,
    });
    expect(run('check')).toEqual({
      status: 0,
      output:
        "ok      manifest: 'acme-lines' of importers comes by the API alone, since importFormats has no item of that id\nok      types\nok      imports\nok      promises\n",
    });
  });

  test('names the place of a key that stands twice, which JSON lets pass', () => {
    write({ 'plugin.json': JSON.stringify(manifest, undefined, 2).replace('{', '{\n  "name": "Gone",') });
    const { status, output } = run('check');
    expect([status, output]).toEqual([
      1,
      expect.stringMatching(/plugin\.json:\d+:3 'name' stands twice in one object; the last one counts\./),
    ]);
  });

  test('tells each cause of a broken promise once, with its place, and all that Jest says where that is asked for', () => {
    const broken = `
      import { defineServerPlugin } from '@trellis/sdk/server';
      export default defineServerPlugin({
        setup() {
          throw new Error('No mood.');
        },
      });`;
    write({
      'plugin.json': JSON.stringify(manifest, undefined, 2),
      'server/index.ts': broken,
      'web/index.tsx': commandAlone,
    });
    const { status, output } = run('check');
    const [, promises = ''] = output.split('FAILED  promises\n');
    expect([status, promises.split('\n')]).toEqual([
      1,
      expect.arrayContaining([
        expect.stringMatching(
          /^ {2}server\/index\.ts:5:\d+ Plugin 'acme-mood' could not be enabled, .*: No mood\.$/,
        ),
        expect.stringMatching(
          /^ {2}plugin\.json:\d+:5 announces 'AcmeMood' for columnTypes, which 'setup' does not register/,
        ),
      ]),
    ]);
    expect(promises.match(/No mood/g)).toHaveLength(1);
    expect(promises).not.toMatch(/Test Suites|\n\s+at |jest/);
    expect(run('check', '--verbose').output).toContain('Test Suites: ');
  });

  test('tells of a page that nothing draws', () => {
    write({
      'plugin.json': JSON.stringify({
        ...commandManifest,
        contributes: {
          ...commandManifest.contributes,
          pages: [{ id: '/moods' }],
        },
      }),
      'web/index.tsx': commandAlone,
    });
    rmSync(join(folder, 'server'), { recursive: true });
    const { status, output } = run('check');
    expect(status).toBe(1);
    expect(output).toMatch(/plugin\.json:\d+:\d+ lists the page '\/moods', which no item of 'routes' draws/);
  });

  test('ends, and names the places of what a plugin leaves running in either half, but not of what the host ends', () => {
    write({
      'plugin.json': JSON.stringify(commandManifest),
      'server/index.ts': `
        import { createServer } from 'node:net';
        import { defineServerPlugin } from '@trellis/sdk/server';
        export default defineServerPlugin({
          setup(ctx) {
            const owned = setInterval(() => undefined, 60_000);
            ctx.own({ dispose: () => clearInterval(owned) });
            setInterval(() => undefined, 60_000);
            const again = (): void => void setTimeout(again, 10);
            again();
            createServer().listen(0, '127.0.0.1');
            void fetch('http://127.0.0.1:9/', {
              signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(60_000)]),
            }).catch(() => undefined);
          },
        });`,
      'web/index.tsx': commandAlone.replace(
        'setup: (ctx) =>',
        `setup: (ctx) =>
          void setInterval(() => undefined, 60_000) ?? void AbortSignal.timeout(60_000) ?? `,
      ),
    });
    const { status, output } = run('check');
    expect(status).toBe(1);
    const told = [...output.matchAll(/(\S+:\d+):\d+ (A \w+) that begins here goes on after/g)];
    expect([...new Set(told.map(([, place, what]) => `${place} ${what}`))].toSorted()).toEqual([
      'server/index.ts:11 A server',
      'server/index.ts:8 A timer',
      'server/index.ts:9 A timer',
      'web/index.tsx:5 A timer',
    ]);
  });

  test('tells what is registered without being announced, and announced without being registered', () => {
    write({
      'plugin.json': JSON.stringify({ ...manifest, contributes: { columnTypes: [{ id: 'AcmeMood' }] } }),
      'web/index.tsx': commandAlone,
    });
    expect(run('check').output).toMatch(
      /FAILED {2}promises\n {2}plugin\.json:1:\d+ announces 'AcmeMood' for columnTypes[^\n]*\n {2}plugin\.json:1:\d+ does not announce 'acme\.smile' for commands/,
    );
  });

  test('names the place where a file of a half is no JSON', () => {
    write({
      'plugin.json': JSON.stringify(commandManifest),
      'web/index.tsx': commandAlone.replace(
        'setup: (ctx) =>',
        `setup: (ctx) =>
          ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } })) ?? `,
      ),
      'web/messages/de.json': '{\n  "Smile": "Lächeln",\n}',
    });
    rmSync(join(folder, 'server'), { recursive: true });
    const { status, output } = run('check');
    const [, imports] = output.split('FAILED  imports\n');
    expect([status, imports?.split('\n')[0]]).toEqual([
      1,
      '  web/messages/de.json:3:1 is no JSON: Expected double-quoted property name.',
    ]);
    expect(imports).not.toContain('Plugin');
  });

  test('names the place of a path of another plugin, as of the example that was copied', () => {
    write({
      'plugin.json': JSON.stringify(commandManifest),
      'web/index.tsx': `${commandAlone}
  export const paths = ['/api/v1/plugins/acme-notes/list', '/api/v1/plugins/${id}/list', '/api/v1/plugins/webhooks/log'];`,
    });
    rmSync(join(folder, 'server'), { recursive: true });
    const [, wrong = ''] = run('check').output.split('FAILED  manifest\n');
    expect(wrong.trim()).toBe(
      `web/index.tsx:6:26 '/api/v1/plugins/acme-notes/' are paths of 'acme-notes', on which this plugin does not depend; its own begin with '/api/v1/plugins/${id}/'.`,
    );
  });

  test('names the place where texts of the app store are no JSON', () => {
    write({ 'messages/de.json': '{\n  "Mood": "Stimmung",\n}' });
    expect(run('check').output).toContain(
      'FAILED  manifest\n  messages/de.json:3:1 is no JSON: Expected double-quoted property name.\n',
    );
    rmSync(join(folder, 'messages'), { recursive: true });
  });

  test('names the places of misspelt texts and of marks that nothing fills in', () => {
    write({
      'plugin.json': JSON.stringify(commandManifest),
      'web/index.tsx': commandAlone.replace(
        'setup: (ctx) => ',
        `setup: (ctx) =>
          ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } })) ?? `,
      ),
      'web/messages/de.json': `{
  "Cancle": "Abbrechen",
  "Smiel": "Lächeln",
  "Close {{name}}": "{{nmae}} schließen",
  "Disable {{name}}?": "Löschen?",
  "{{count}} rows_one": "Eine Zeile",
  "{{count}} rows_other": "{{count}} Zeilen",
  "error.NOT_FUOND": "Nicht gefunden",
  "Something of another plugin": "Etwas anderes"
}`,
    });
    rmSync(join(folder, 'server'), { recursive: true });
    const { status, output } = run('check');
    const [, wrong = ''] = output.split('FAILED  manifest\n');
    expect([status, wrong.trimEnd().split('\n')]).toEqual([
      1,
      [
        "  web/messages/de.json:2:3 'Cancle' is no text of the product or of the plugin; did you mean 'Cancel'?",
        "  web/messages/de.json:3:3 'Smiel' is no text of the product or of the plugin; did you mean 'Smile'?",
        "  web/messages/de.json:4:21 Nothing fills in '{{nmae}}' of 'Close {{name}}'; did you mean '{{name}}'?",
        "  web/messages/de.json:5:24 'Disable {{name}}?' is translated without '{{name}}', which is filled in.",
        "  web/messages/de.json:8:3 'error.NOT_FUOND' is no text of the product or of the plugin; did you mean 'error.NOT_FOUND'?",
      ],
    ]);
  });

  test('names the place of a custom property that a theme sets and the page does not have', () => {
    write({
      'plugin.json': JSON.stringify({
        ...testManifest(id, 'Mood'),
        contributes: { themes: [{ id: 'glad' }] },
      }),
      'web/index.tsx': `
        import { defineWebPlugin } from '@trellis/sdk/web';
        export default defineWebPlugin({
          setup(ctx) {
            ctx.register('themes', {
              id: 'glad',
              label: 'Glad',
              light: { primary: '#0b6b57', 'surfcae-2': '#ffffff' },
              dark: { primary: '#4fd1b0' },
            });
          },
        });`,
    });
    rmSync(join(folder, 'server'), { recursive: true });
    expect(run('check').output).toMatch(
      /FAILED {2}imports\n {2}web\/index\.tsx:8:\d+ The page has no custom property '--trellis-surfcae-2'; did you mean 'surface-2'\?\n/,
    );
  });

  test('finds custom properties of a theme that has a file of its own, and tells of hooks in the same run', () => {
    write({
      'plugin.json': JSON.stringify({
        ...testManifest(id, 'Mood'),
        contributes: { themes: [{ id: 'glad' }] },
      }),
      'server/index.ts': `
        import { defineServerPlugin } from '@trellis/sdk/server';
        const creating = 'rows.willCreate';
        export default defineServerPlugin({ setup: (ctx) => void ctx.tap(creating, () => undefined) });`,
      'web/theme.ts': `
        import type { Theme } from '@trellis/sdk/web';
        const common = { 'surfcae-2': '#ffffff' };
        const dark = { ...common, primary: '#4fd1b0' };
        export const theme: Theme = { id: 'glad', label: 'Glad', light: { primray: '#0b6b57' }, dark };`,
      'web/index.tsx': `
        import { defineWebPlugin } from '@trellis/sdk/web';
        import { theme } from './theme.ts';
        export default defineWebPlugin({ setup: (ctx) => void ctx.register('themes', theme) });`,
    });
    const { output } = run('check');
    expect(output).toContain("The plugin taps 'rows.willCreate'");
    expect(output).toMatch(/web\/theme\.ts:5:\d+ The page has no custom property '--trellis-primray'; did/);
    expect(output).toMatch(/web\/theme\.ts:3:\d+ The page has no custom property '--trellis-surfcae-2'; did/);
  });

  test('tells of halves that run from their sources alone, since their files are not installed', () => {
    write({
      'plugin.json': JSON.stringify(commandManifest),
      'server/words.txt': 'glad',
      'server/index.ts': `
        import { readFileSync } from 'node:fs';
        import { join } from 'node:path';
        import { defineServerPlugin } from '@trellis/sdk/server';
        export default defineServerPlugin({
          setup: () => void readFileSync(join(import.meta.dirname, 'words.txt'), 'utf8'),
        });`,
      'web/index.tsx': commandAlone,
    });
    const { status, output } = run('check');
    expect([status, output.slice(output.indexOf('FAILED'))]).toEqual([
      1,
      expect.stringMatching(
        /^FAILED {2}promises\n {2}server\/index\.ts:6:\d+ It runs from its sources, but not as it is built and installed: .*no such file or directory, open 'dist\/server\/words\.txt'.* An installed plugin has 'dist' and 'messages' alone; have its halves import what they need, as code or as JSON\.\n$/,
      ),
    ]);
    expect(readdirSync(folder).filter((name) => name.startsWith('.trellis'))).toEqual([]);
  });

  test('says one thing where package.json is missing or does not speak of modules', () => {
    for (const [text, message] of [
      [undefined, 'package.json is missing;'],
      ['{}', 'package.json does not say that its files are modules;'],
    ]) {
      write();
      rmSync(join(folder, 'package.json'));
      if (text !== undefined) outside.write({ [join(id, 'package.json')]: text });
      expect(run('check')).toEqual({
        status: 1,
        output: expect.stringMatching(
          new RegExp(`^ok {6}manifest\nFAILED {2}types\n {2}${message}[^\n]*\n$`),
        ),
      });
    }
  });

  test('takes a manifest with a byte order mark, as some editors write', () => {
    write({ 'plugin.json': `\uFEFF${JSON.stringify(commandManifest)}`, 'web/index.tsx': commandAlone });
    rmSync(join(folder, 'server'), { recursive: true });
    expect(run('check')).toMatchObject({ status: 0 });
    expect(run('pack')).toMatchObject({ status: 0 });
    expect(run('verify', 'acme-mood-1.0.0.tgz')).toMatchObject({ status: 0 });
    rmSync(join(folder, 'acme-mood-1.0.0.tgz'));
  });

  test('names the place where a manifest is no JSON', () => {
    write({ 'plugin.json': '{\n  "id": "acme-mood",\n}' });
    expect(run('check').output).toContain(
      'plugin.json:3:1 is no JSON: Expected double-quoted property name.',
    );
    write({ 'plugin.json': '{ "id": ' });
    expect(run('check').output).toContain('plugin.json:1:9 is no JSON: Unexpected end of JSON input.');
  });
});

describe('trellis-plugin', () => {
  test('runs the tests of a plugin, which draw components as the page does', () => {
    write({
      'web/Mood.test.tsx': `
        import { expect, test } from '@jest/globals';
        import { renderWithHost } from '@trellis/sdk/testing/web';
        test('is drawn', () => {
          expect(renderWithHost(<p>Glad</p>).getByText('Glad')).toBeTruthy();
        });`,
    });
    outside.write({ [join(id, forsaken)]: `throw new Error('A check was killed.');` });
    expect(run('test')).toMatchObject({ status: 0, output: expect.stringContaining('1 passed, 1 total') });
    rmSync(join(folder, forsaken, '..'), { recursive: true });
    expect(run('test', '-t', 'nothing').output).toContain('1 skipped');
  });

  test('packs the same bytes wherever the folder lies, whatever it is called, and wherever that is asked for', () => {
    write();
    const copy = join(outside.path, 'elsewhere', 'mood of acme');
    cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
    expect(run('pack', '--to', 'out')).toMatchObject({ status: 0 });
    expect(outside.trellisPlugin(['pack'], copy)).toMatchObject({ status: 0 });
    const archiveIn = (at: string) => readFileSync(join(at, 'acme-mood-1.0.0.tgz'));
    const first = archiveIn(join(folder, 'out'));
    expect(first.equals(archiveIn(copy))).toBe(true);
    rmSync(join(copy, 'acme-mood-1.0.0.tgz'));
    expect(run('pack', copy)).toMatchObject({ status: 0 });
    expect(first.equals(archiveIn(copy))).toBe(true);
    rmSync(join(folder, 'out'), { recursive: true });
  });

  test('makes a key once, which nobody else may read', () => {
    const made = run('keygen');
    expect(made).toMatchObject({ status: 0, output: expect.stringMatching(/Public key: {2}[\w+/]{43}=/) });
    const key = join(folder, 'trellis-plugin.key');
    expect(statSync(key).mode & 0o777).toBe(0o600);
    const before = readFileSync(key, 'utf8');
    expect(run('keygen')).toMatchObject({
      status: 1,
      output: expect.stringMatching(/trellis-plugin\.key is there already, .*; name another file/),
    });
    expect(readFileSync(key, 'utf8')).toBe(before);
    expect(run('pack', '--key', 'plugin.json').output).toContain('holds no ed25519 private key');
    rmSync(key);
  });

  test('signs an archive, tells who signed it, and sees that it was changed', () => {
    write();
    const [, own = 'none'] = /Public key: {2}(\S+)/.exec(run('keygen', 'own.key').output) ?? [];
    run('pack');
    const archive = 'acme-mood-1.0.0.tgz';
    expect(run('verify', archive)).toMatchObject({
      status: 0,
      output: expect.stringContaining('Not signed'),
    });
    const told = { status: 0, output: expect.stringContaining(`Signed by: ${own}\n`) };
    expect(run('sign', archive, '--key', 'own.key')).toEqual(told);
    expect(run('verify', archive)).toEqual(told);
    expect(run('verify', archive).output).toMatch(/^acme-mood 1\.0\.0: \d+ files/);
    expect(run('verify', archive, '--signer', own)).toMatchObject({ status: 0 });
    expect(run('pack', '--key', 'own.key')).toEqual(told);
    expect(run('verify', archive, '--signer', 'somebody')).toMatchObject({ status: 1 });
    const bytes = readFileSync(join(folder, archive));
    for (const place of [10, Math.floor(bytes.length / 2), bytes.length - 8]) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      writeFileSync(join(folder, archive), changed);
      expect([place, run('verify', archive).status]).toEqual([place, 1]);
    }
    for (const command of [['verify'], ['sign', '--key', 'own.key']])
      expect(run(...command, 'none.tgz')).toMatchObject({
        status: 1,
        output: expect.stringMatching(/^There is no .*none\.tgz; "trellis-plugin pack" writes archives\.$/m),
      });
    writeFileSync(join(folder, archive), bytes.subarray(0, bytes.length / 2));
    expect(run('verify', archive)).toMatchObject({ status: 1, output: expect.stringContaining('damaged') });
    for (const file of ['own.key', archive]) rmSync(join(folder, file));
  });

  test('names what is no archive, and ends where nobody reads what it says', () => {
    write();
    const refused = (file: string, message: RegExp) =>
      expect(run('verify', file)).toEqual({ status: 1, output: expect.stringMatching(message) });
    refused('server', /^\S*server is a folder, and no archive; "trellis-plugin pack" writes archives\.\n$/);
    refused('plugin.json', /^\S*plugin\.json: This is no archive of a plugin: [^\n]*\n$/);
    const program = join(folder, 'node_modules/@trellis/sdk/dist/server/trellis-plugin.mjs');
    const piped = spawnSync('sh', ['-c', `"${process.execPath}" "${program}" report | head -c 1`], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([piped.stdout, piped.stderr]).toEqual(['M', '']);
  });

  test('tells what a plugin adds, what it asks for, and what it weighs', () => {
    const asking = {
      ...manifest,
      dependencies: { 'columns-basic': '^1.0.0' },
      optionalDependencies: { 'acme-deals': '^1.2.0' },
      conflicts: { 'acme-humour': '*' },
      permissions: ['network'],
      contributes: {
        ...manifest.contributes,
        routes: ['GET /api/v1/moods'],
        hosts: ['moods.example'],
        tables: ['moods'],
        hooks: ['rows.willCreate'],
        pages: [{ id: '/moods' }],
      },
      settings: {
        type: 'object',
        properties: { server: { type: 'string' }, key: { type: 'string', format: 'secret' } },
      },
    };
    write({
      'plugin.json': JSON.stringify(asking),
      'web/large.ts': `export const large = '${'mood'.repeat(5000)}';`,
    });
    const page = readFileSync(join(folder, 'web/index.tsx'), 'utf8');
    const lazy = page.replace('run: () => undefined', "run: async () => void (await import('./large.ts'))");
    expect(lazy).not.toBe(page);
    outside.write({ [join(id, 'web/index.tsx')]: lazy });
    const { status, output } = run('report');
    expect(status).toBe(0);
    const [server = '', web = '', installed = '', ...rest] = output.trim().split('\n').slice(12);
    expect(output.split('\n').slice(0, 12)).toEqual([
      'Mood (acme-mood) 1.0.0, for Trellis *',
      'adds: columnTypes AcmeMood, commands acme.smile',
      'serves: GET /api/v1/moods',
      'calls: moods.example',
      'makes the tables: moods',
      'can change or refuse by: rows.willCreate',
      'pages: /moods',
      'needs: columns-basic ^1.0.0',
      'uses where that is there: acme-deals ^1.2.0',
      'never beside: acme-humour *',
      'asks for: network',
      'settings: server, key (secret)',
    ]);
    expect(server).toMatch(/^server half: [\d.]+ kB, [\d.]+ kB compressed$/);
    const [, all, first] =
      /^web half: ([\d.]+) kB, [\d.]+ kB compressed, of which ([\d.]+) kB, [\d.]+ kB compressed, at first$/.exec(
        web,
      ) ?? [];
    // What is fetched once the command is run counts, and is told apart.
    expect(Number(all) - Number(first)).toBeGreaterThan(19);
    expect(installed).toMatch(/^installed: \d+ files, [\d.]+ kB$/);
    expect(rest).toEqual([]);

    const own = readFileSync(join(folder, 'server/index.ts'), 'utf8');
    const reaching = `import { connect } from 'node:net';\n${own}\nexport const ways = { connect, get: () => fetch('https://moods.example') };\n`;
    outside.write({ [join(id, 'server/index.ts')]: reaching });
    expect(run('report').output).toContain(
      'reaches hosts and programs past what its manifest lists by: fetch, node:net\n',
    );
  });

  test('says of each command what it takes', () => {
    for (const command of ['check', 'keygen', 'pack']) {
      const { status, output } = run(command, '--help');
      expect({ status, output }).toEqual({
        status: 0,
        output: expect.stringContaining(`trellis-plugin ${command} `),
      });
    }
    expect(existsSync(join(folder, 'trellis-plugin.key'))).toBe(false);
  });

  test('refuses what it does not know with the way out', () => {
    expect(run('biuld')).toMatchObject({
      status: 2,
      output: expect.stringMatching(
        /^There is no command 'biuld'; did you mean 'build'\?\n[^]*build \[folder\.\.\.\]/,
      ),
    });
    expect(run('pack', '--too', 'x')).toEqual({
      status: 2,
      output: expect.stringMatching(
        /^There is no option '--too'; did you mean '--to'\?\ntrellis-plugin pack .*\[--to <folder>\]/,
      ),
    });
    expect(run('check', '--wirte').output).toContain("There is no option '--wirte'; did you mean '--write'?");
    expect(existsSync(join(folder, 'acme-mood-1.0.0.tgz'))).toBe(false);
  });
});
