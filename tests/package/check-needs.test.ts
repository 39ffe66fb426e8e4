import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testManifest } from '../../sdk/testing/test-manifest.ts';
import { OutsideFolder, packSdkInto } from './outside-folder.ts';

const tarballs = mkdtempSync(join(tmpdir(), 'trellis-sdk-'));
const outside = new OutsideFolder();

/** Offers a registry and a hook on the server, and a registry in the page. */
const deals = {
  'plugin.json': JSON.stringify(testManifest('acme-deals', 'Deals')),
  'server/index.ts': `
    import { defineServerPlugin } from '@trellis/sdk/server';
    export default defineServerPlugin({
      setup(ctx) {
        ctx.registries.define('acme.stages' as never, { absentPolicy: 'Not listed.' });
      },
    });`,
  'web/index.tsx': `
    import { defineWebPlugin } from '@trellis/sdk/web';
    export default defineWebPlugin({
      setup(ctx) {
        ctx.registries.define('acme.labels' as never, { absentPolicy: 'Not shown.' });
        ctx.hooks.define('acme.didLabel' as never, { kind: 'did', policy: 'contain', description: 'After a label.' } as never);
        ctx.register('commands', { id: 'acme.deal', label: 'Deal', run: () => undefined });
      },
    });`,
};

const manifest = {
  ...testManifest('acme-stages', 'Stages'),
  dependencies: { 'acme-deals': '^1.0.0' },
  contributes: { 'acme.stages': [{ id: 'won' }], 'acme.labels': [{ id: 'won' }] },
};

/** Fills them and follows the hook. */
const stages = {
  'plugin.json': JSON.stringify(manifest, undefined, 2),
  'package.json': '{ "type": "module" }',
  'tsconfig.json': '{ "extends": "@trellis/sdk/tsconfig.json" }',
  'server/index.ts': `
    import { defineServerPlugin } from '@trellis/sdk/server';
    export default defineServerPlugin({
      setup(ctx) {
        ctx.register('acme.stages' as never, { id: 'won' } as never);
      },
    });`,
  'web/index.tsx': `
    import { defineWebPlugin } from '@trellis/sdk/web';
    export default defineWebPlugin({
      setup(ctx) {
        ctx.register('acme.labels' as never, { id: 'won' } as never);
        ctx.tap('acme.didLabel' as never, (() => undefined) as never);
      },
    });`,
};

const folder = join(outside.path, 'acme-stages');
const check = () => outside.trellisPlugin(['check'], folder);
const write = (id: string, files: Readonly<Record<string, string>>) =>
  outside.write(Object.fromEntries(Object.entries(files).map(([file, text]) => [join(id, file), text])));
const well = { status: 0, output: 'ok      manifest\nok      types\nok      imports\nok      promises\n' };

beforeAll(() => {
  write('acme-stages', stages);
  const { sdk } = packSdkInto(tarballs);
  outside.install('@trellis/sdk', sdk, folder);
});

afterAll(() => {
  outside.dispose();
  rmSync(tarballs, { recursive: true, force: true });
});

describe("trellis-plugin check of a plugin that needs somebody else's", () => {
  test('says where it looks for that, runs both together, and tells of a version that does not fit', () => {
    const { status, output } = check();
    expect([status, output]).toEqual([
      1,
      expect.stringMatching(
        /plugin\.json:\d+:5 'acme-deals' is no plugin of the product, .*put its folder beside this one, or run "npm install --save-dev/,
      ),
    ]);

    write('acme-deals', deals);
    expect(check()).toEqual(well);

    write('acme-stages', {
      'plugin.json': stages['plugin.json'].replace('"^1.0.0"', '"^2.0.0"'),
    });
    expect(check().output).toMatch(
      /plugin\.json:\d+:19 'acme-deals' is 1\.0\.0 in .*acme-deals, which '\^2\.0\.0' leaves out\./,
    );
    write('acme-stages', stages);
  });

  test('takes it as its archive holds it, and as npm installs it', () => {
    const beside = join(outside.path, 'acme-deals');
    const built = outside.node([
      join(folder, 'node_modules/@trellis/sdk/dist/server/trellis-plugin.mjs'),
      'build',
      beside,
    ]);
    expect(built).toMatchObject({ status: 0 });
    for (const half of ['server', 'web']) rmSync(join(beside, half), { recursive: true });
    expect(check()).toEqual(well);
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    renameSync(beside, join(folder, 'node_modules/acme-deals'));
    expect(check()).toEqual(well);
    rmSync(join(folder, 'node_modules/acme-deals'), { recursive: true });
  });
});

describe("trellis-plugin check of a plugin that uses somebody else's where that is there", () => {
  const { dependencies, ...others } = manifest;
  const optional = JSON.stringify({ ...others, optionalDependencies: dependencies }, undefined, 2);
  /** The same halves, which ask first whether the other plugin is there. */
  const asks = (source: string) =>
    source.replace(/(ctx\.(register|tap)\()/g, "ctx.plugins.isEnabled('acme-deals') && $1");
  const asking = {
    'plugin.json': optional,
    'server/index.ts': asks(stages['server/index.ts']),
    'web/index.tsx': asks(stages['web/index.tsx']),
  };

  test('runs it without that, and beside that once it is at hand', () => {
    write('acme-stages', asking);
    expect(check()).toEqual(well);
    write('acme-deals', deals);
    expect(check()).toEqual(well);
  });

  test('tells of halves that run beside that alone', () => {
    write('acme-stages', { ...stages, 'plugin.json': optional });
    const { status, output } = check();
    expect(status).toBe(1);
    expect(output).toContain('ok      imports\nFAILED  promises');
    for (const registry of ['acme.stages', 'acme.labels']) expect(output).toContain(registry);
    expect(output.match(/● .*runs without what it uses where that is there: acme-deals/g)).toHaveLength(2);
  });

  test('tells of a version that does not fit', () => {
    write('acme-stages', { ...asking, 'plugin.json': optional.replace('"^1.0.0"', '"^2.0.0"') });
    expect(check().output).toMatch(
      /plugin\.json:\d+:19 'acme-deals' is 1\.0\.0 in .*, which '\^2\.0\.0' leaves out\./,
    );
    write('acme-stages', stages);
    rmSync(join(outside.path, 'acme-deals'), { recursive: true });
  });
});

describe('trellis-plugin with a tsconfig.json that cannot be read', () => {
  beforeAll(() => write('acme-deals', deals));

  test.each([
    ['{\n  "extends": "@trellis/sdk/tsconfig.json"\n  "include": []\n}', /tsconfig\.json:3:3 is no JSON: /],
    [
      '{ "extends": "@trellis/skd/tsconfig.json" }',
      /tsconfig\.json:1:14 extends .*did you mean '@trellis\/sdk\/tsconfig\.json'\?/,
    ],
    [
      '{ "extends": "acme-tsconfig" }',
      /tsconfig\.json:1:14 extends 'acme-tsconfig', which is not installed; run "npm install"/,
    ],
  ])('says so first, and nothing else: %j', (text, message) => {
    write('acme-stages', { 'tsconfig.json': text });
    const { status, output } = check();
    expect([status, output]).toEqual([1, expect.stringMatching(message)]);
    expect(output).toMatch(/^ok {6}manifest\nFAILED {2}types\n[^\n]*\n$/);
    expect(outside.trellisPlugin(['build'], folder)).toEqual({
      status: 1,
      output: expect.stringMatching(message),
    });
  });

  test('takes comments and commas at an end, as TypeScript does', () => {
    write('acme-stages', {
      'tsconfig.json': '{\n  // What a plugin has.\n  "extends": "@trellis/sdk/tsconfig.json", /* and */\n}',
    });
    expect(check()).toEqual(well);
  });
});
