import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testManifest } from '../../sdk/testing/test-manifest.ts';
import { OutsideFolder, packSdkInto } from './outside-folder.ts';

const tarballs = mkdtempSync(join(tmpdir(), 'trellis-sdk-'));
const outside = new OutsideFolder();
const sdk = join(outside.path, 'node_modules/@trellis/sdk');

const manifest = testManifest('acme-mood', 'Mood');
const sources = {
  'package.json': '{ "name": "acme-mood", "type": "module" }',
  'tsconfig.json': '{ "extends": "@trellis/sdk/tsconfig.json", "include": ["server", "web"] }',
  'plugin.json': JSON.stringify({ ...manifest, contributes: { commands: [{ id: 'acme.smile' }] } }),
  'server/index.ts': `
    import { defineRoute, defineServerPlugin } from '@trellis/sdk/server';
    import { TrellisError } from '@trellis/sdk/shared';

    export default defineServerPlugin({
      setup(ctx) {
        ctx.routes(
          defineRoute({
            method: 'GET',
            path: 'mood',
            summary: 'The mood of the day',
            permission: 'public',
            handle() {
              throw new TrellisError('ACME_SAD', 'No mood today.', { status: 418 });
            },
          }),
        );
      },
    });`,
  'server/index.test.ts': `
    import { readFileSync } from 'node:fs';
    import { expect, test } from '@jest/globals';
    import { createTestServer } from '@trellis/sdk/testing/server';
    import server from './index.ts';

    test('answers', async () => {
      const manifest = { ...JSON.parse(readFileSync('plugin.json', 'utf8')), enabledByDefault: true };
      const running = await createTestServer({ plugins: [{ manifest, server }] });
      const answer = await running.client.get('/api/v1/plugins/acme-mood/mood');
      expect(answer).toMatchObject({ status: 418, body: { code: 'ACME_SAD' } });
      await running.dispose();
    });`,
  'web/mood.css': '.mood { color: teal }',
  'web/Mood.tsx': `
    import './mood.css';
    import { useHost } from '@trellis/sdk/web';

    export function Mood() {
      return <p className="mood">{useHost().t('Glad')}</p>;
    }`,
  'web/index.tsx': `
    import { defineWebPlugin } from '@trellis/sdk/web';

    export default defineWebPlugin({
      setup: (ctx) => void ctx.register('commands', { id: 'acme.smile', label: 'Smile', run: () => undefined }),
    });`,
  'web/Mood.test.tsx': `
    import { expect, test } from '@jest/globals';
    import { describeWebPlugin } from '@trellis/sdk/testing/web-plugin';
    import { renderWithHost } from '@trellis/sdk/testing/web';
    import { Mood } from './Mood.tsx';

    describeWebPlugin(process.cwd());
    test('is drawn', () => {
      expect(renderWithHost(<Mood />).getByText('Glad')).toBeTruthy();
    });`,
};

beforeAll(() => {
  const { sdk: tarball } = packSdkInto(tarballs);
  outside.install('@trellis/sdk', tarball);
  outside.write(sources);
});

afterAll(() => {
  outside.dispose();
  rmSync(tarballs, { recursive: true, force: true });
});

const typeCheck = () => outside.node(['node_modules/typescript/bin/tsc', '-p', '.']);

describe('the SDK as a package, outside of the repository', () => {
  test('holds code and declarations for every entry, and names every package that they need', () => {
    const { exports, dependencies } = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8')) as {
      exports: Record<string, string | Record<string, string>>;
      dependencies: Record<string, string>;
    };
    const files = Object.values(exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    expect(files.filter((file) => !existsSync(join(sdk, file)))).toEqual([]);
    expect(Object.keys(dependencies)).toEqual(
      expect.arrayContaining([
        'react',
        '@types/react',
        'knex',
        'better-sqlite3',
        'jest',
        'typescript',
        'vite',
      ]),
    );
    expect(Object.keys(dependencies).filter((name) => name.startsWith('@trellis/'))).toEqual([]);
  });

  test('is packed where git does not list it', () => {
    const ignored = readFileSync(join(import.meta.dirname, '../../.gitignore'), 'utf8').split('\n');
    expect(ignored).toContain('*.tgz');
  });

  test('holds every file that its book names', () => {
    const book = readFileSync(join(sdk, 'README.md'), 'utf8');
    const named = [
      ...book.matchAll(/`(?:node_modules\/@trellis\/sdk\/)?((?:examples|api|plugins|sdk|tests)\/[^`]*)`/g),
    ];
    const linked = book.matchAll(/\]\((?!#|https?:)([^)]+)\)/g);
    const paths = [...named, ...linked].map(([, path = '']) => path.replace(/\*.*$/, ''));
    expect(paths.length).toBeGreaterThan(100);
    expect(paths).toContain('pictures/home.svg');
    expect(paths.filter((path) => !existsSync(join(sdk, path)))).toEqual([]);
  });

  test('gives the types of both halves to plain tsc', () => {
    expect(typeCheck()).toEqual({ status: 0, output: '' });
    outside.write({
      'web/wrong.ts': `
        import { defineWebPlugin } from '@trellis/sdk/web';
        export default defineWebPlugin({ setup: (ctx) => void ctx.register('comands', {}) });`,
    });
    const { status, output } = typeCheck();
    expect([status, output]).toEqual([expect.any(Number), expect.stringContaining('\'"comands"\'')]);
    expect(status).not.toBe(0);
    rmSync(join(outside.path, 'web/wrong.ts'));
  });

  test('types the code of the book that is meant to be copied', () => {
    const book = readFileSync(join(sdk, 'README.md'), 'utf8');
    const blocks = [...book.matchAll(/```tsx?\n\/\/ (\S+)\n([^]*?)```/g)];
    const files = Object.fromEntries(blocks.map(([, file = '', text = '']) => [`book/${file}`, text]));
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(['book/shared/level.ts', 'book/web/AcmeLevelEditor.tsx']),
    );
    outside.write({ ...files, 'book/tsconfig.json': '{ "extends": "@trellis/sdk/tsconfig.json" }' });
    const { status, output } = outside.node(['node_modules/typescript/bin/tsc', '-p', 'book']);
    expect([status, output]).toEqual([0, '']);
    rmSync(join(outside.path, 'book'), { recursive: true });
  });

  test('runs the tests of both halves, on the real server and in the real page', () => {
    outside.write({
      'jest.config.js': `
        import { pluginJestConfig } from '@trellis/sdk/testing/jest';
        export default pluginJestConfig(import.meta.dirname);`,
    });
    const run = outside.node(['--experimental-vm-modules', 'node_modules/jest/bin/jest.js']);
    expect(run).toMatchObject({
      status: 0,
      output: expect.stringMatching(/PASS server .*\nPASS web [^]*Tests: +(\d+) passed, \1 total/),
    });
  });

  test('tells editors what a manifest may say', () => {
    const text = readFileSync(join(sdk, 'plugin.schema.json'), 'utf8');
    const { properties, required } = JSON.parse(text) as {
      required: readonly string[];
      properties: Record<string, { description?: string; properties?: object }>;
    };
    expect(required).toContain('engines');
    expect(properties['id']?.description).toBe('Kebab-case, the same as the folder.');
    expect(Object.keys(properties['contributes']?.properties ?? {})).toEqual(
      expect.arrayContaining(['columnTypes', 'shellItems', 'routes', 'pages']),
    );
  });
});
