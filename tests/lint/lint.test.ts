import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

/** A file of an imagined repository, and the rules that it must break (none: it is fine). */
interface Snippet {
  file: string;
  code: string;
  breaks?: string[];
}

const layers = ['trellis(layers)'];
const ratingManifest = JSON.stringify({ id: 'column-rating', dependencies: { 'sys-tables': '^1.0.0' } });
const rating = 'plugins/column-rating';

const suites: Record<string, Record<string, Snippet>> = {
  'core imports nothing of ours': {
    'but its five packages': {
      file: 'core/a.ts',
      code: `import { Ajv } from 'ajv'; export const a = new Ajv();`,
    },
    'and not the SDK by name': {
      file: 'core/b.ts',
      code: `export * from '@trellis/sdk/shared';`,
      breaks: layers,
    },
    'and not the SDK by path': {
      file: 'core/topic/c.ts',
      code: `export * from '../../sdk/shared/index.ts';`,
      breaks: layers,
    },
    'nor by a crooked path': {
      file: 'core/topic/d.ts',
      code: `export * from './../../core/../sdk/shared/x.ts';`,
      breaks: layers,
    },
    'nor for a type': {
      file: 'core/e.ts',
      code: `import type { A } from '@trellis/sdk/shared'; export type B = A;`,
      breaks: layers,
    },
    'nor for an inline type': {
      file: 'core/f.ts',
      code: `export type B = import('@trellis/sdk/shared').A;`,
      breaks: layers,
    },
    'nor dynamically': {
      file: 'core/g.ts',
      code: `export const a = () => import('@trellis/sdk/shared');`,
      breaks: layers,
    },
    'nor by a computed name': {
      file: 'core/h.ts',
      code: `export const a = (name: string): Promise<unknown> => import(name);`,
      breaks: layers,
    },
    'nor by a template': {
      file: 'core/i.ts',
      code: 'export const a = () => import(`../sdk/shared/index.ts`);',
      breaks: layers,
    },
    'nor by require': {
      file: 'core/j.ts',
      code: `export const a: unknown = require('../sdk/shared');`,
      breaks: [...layers, 'typescript(no-require-imports)'],
    },
    'nor by import equals': {
      file: 'core/k.ts',
      code: `import a = require('@trellis/sdk/shared'); export const b: unknown = a;`,
      breaks: [...layers, 'typescript(no-require-imports)'],
    },
    'and no Node': { file: 'core/l.ts', code: `export { readFile } from 'fs/promises';`, breaks: layers },
    'and no other package': {
      file: 'core/m.ts',
      code: `import type Koa from 'koa'; export type K = Koa;`,
      breaks: layers,
    },
    'while its tests use what tests need': {
      file: 'core/n.test.ts',
      code: `import { readFileSync } from 'node:fs'; import fc from 'fast-check'; import { test } from '@jest/globals';
        test('reads', () => fc.assert(fc.property(fc.nat(), () => readFileSync('x').length > 0)));`,
    },
  },
  'the SDK imports core alone': {
    'by name': { file: 'sdk/shared/a.ts', code: `export * from '@trellis/core';` },
    'and not by path': {
      file: 'sdk/shared/b.ts',
      code: `export * from '../../core/index.ts';`,
      breaks: layers,
    },
    'and no host': {
      file: 'sdk/server/c.ts',
      code: `export * from '@trellis/host-server/x.ts';`,
      breaks: layers,
    },
    'naming the types of Koa and knex': {
      file: 'sdk/server/d.ts',
      code: `import type { Knex } from 'knex'; import { type Context } from 'koa'; export type D = Knex | Context;`,
    },
    'without running them': {
      file: 'sdk/server/e.ts',
      code: `import knex from 'knex'; export const e = knex;`,
      breaks: layers,
    },
    'and keeps Node out of shared': {
      file: 'sdk/shared/f.ts',
      code: `import 'node:fs';`,
      breaks: layers,
    },
    'and React out of the server': {
      file: 'sdk/server/g.ts',
      code: `import type { FC } from 'react'; export type G = FC;`,
      breaks: layers,
    },
    'and its halves apart': {
      file: 'sdk/web/h.ts',
      code: `export * from '../server/index.ts';`,
      breaks: layers,
    },
  },
  'a host never names a plugin': {
    'by its contract': {
      file: 'host-server/a.ts',
      code: `export * from '#plugins/sys-tables/shared';`,
      breaks: layers,
    },
    'by a path': {
      file: 'host-web/b.ts',
      code: `export * from '../plugins/column-rating/web/index.tsx';`,
      breaks: layers,
    },
    'but loads it by a computed name': {
      file: 'host-server/c.ts',
      code: `export const load = (url: string): Promise<unknown> => import(url);`,
    },
    'and keeps React out of the server': {
      file: 'host-server/d.ts',
      code: `import 'react-dom/server';`,
      breaks: layers,
    },
    'and knex out of the browser': {
      file: 'host-web/e.ts',
      code: `import type { Knex } from 'knex'; export type E = Knex;`,
      breaks: layers,
    },
    'and the SDK halves apart': {
      file: 'host-web/f.ts',
      code: `export * from '@trellis/sdk/server';`,
      breaks: layers,
    },
    'and lets no folder of the page reach upwards': {
      file: 'host-web/api/g.ts',
      code: `import type { ShellController } from '../shell/shell-controller.ts'; export type E = ShellController;`,
      breaks: layers,
    },
    'nor into a folder that has no place in the order': {
      file: 'host-web/app/h.ts',
      code: `export * from '../helpers/h.ts';`,
      breaks: layers,
    },
    'but downwards': {
      file: 'host-web/shell/i.ts',
      code: `import type { HostStore } from '../store/store.ts'; export type E = HostStore;`,
    },
    'while the server reads what packs plugins': {
      file: 'host-server/plugins/j.ts',
      code: `export * from '@trellis/sdk/build/archive/read-archive';`,
    },
    'and nothing else that builds them': {
      file: 'host-server/plugins/k.ts',
      code: `export * from '@trellis/sdk/build/build-plugin';`,
      breaks: layers,
    },
    'while the web build reads the shared list': {
      file: 'host-web/build/g.ts',
      code: `import 'node:fs'; export * from '../../sdk/build/shared-modules.ts';`,
    },
  },
  'a plugin imports the SDK': {
    'in each half': {
      file: `${rating}/server/a.ts`,
      code: `export * from '@trellis/sdk/server'; export * from '@trellis/sdk/shared'; export * from '../shared/index.ts';`,
    },
    'and its manifest': {
      file: `${rating}/web/manifest.ts`,
      code: `import manifest from '../plugin.json' with { type: 'json' }; export const id: unknown = manifest;`,
    },
    'and not core': { file: `${rating}/server/b.ts`, code: `export * from '@trellis/core';`, breaks: layers },
    'and not core by path': {
      file: `${rating}/server/c.ts`,
      code: `export * from '../../../core/index.ts';`,
      breaks: layers,
    },
    'and no container': { file: `${rating}/server/d.ts`, code: `export * from 'inversify';`, breaks: layers },
    'and no host': {
      file: `${rating}/web/e.ts`,
      code: `export * from '@trellis/host-web/store.ts';`,
      breaks: layers,
    },
    'and never the other half': {
      file: `${rating}/web/f.ts`,
      code: `import type { A } from '../server/index.ts'; export type F = A;`,
      breaks: layers,
    },
    'in neither direction': {
      file: `${rating}/server/g.ts`,
      code: `export * from '../web/Cell.tsx';`,
      breaks: layers,
    },
    'and from shared neither': {
      file: `${rating}/shared/h.ts`,
      code: `import('../server/index.ts').catch(String);`,
      breaks: layers,
    },
    'and what a declared plugin shares': {
      file: `${rating}/shared/i.ts`,
      code: `export * from '#plugins/sys-tables/shared';`,
    },
    'and not what an undeclared one shares': {
      file: `${rating}/shared/j.ts`,
      code: `export * from '#plugins/sys-views/shared';`,
      breaks: layers,
    },
    "and no plugin's insides": {
      file: `${rating}/server/k.ts`,
      code: `export * from '../../sys-tables/server/index.ts';`,
      breaks: layers,
    },
    'with React in the web half': {
      file: `${rating}/web/l.tsx`,
      code: `import { useState } from 'react'; import { Rating } from 'primereact/rating'; export const l = [useState, Rating];`,
    },
    'with nodemailer-like packages in the server half': {
      file: `${rating}/server/m.ts`,
      code: `import 'node:stream'; import 'csv-stringify';`,
    },
    'with the test kit in its tests': {
      file: `${rating}/server/n.test.ts`,
      code: `export * from '@trellis/sdk/testing/server'; export * from '../testing/fixtures.ts';`,
    },
    'and not outside them': {
      file: `${rating}/server/o.ts`,
      code: `export * from '@trellis/sdk/testing/server';`,
      breaks: layers,
    },
  },
  'tests and stories import anything': {
    'across all layers': {
      file: 'tests/e2e/a.ts',
      code: `export * from '../../host-server/main.ts'; export * from '../../plugins/x/web/index.tsx';`,
    },
  },
  'the rooms of the server stand above each other': {
    'and none reaches upwards': {
      file: 'host-server/query/up.ts',
      code: `import type { A } from '../rows/row-store.ts'; export type B = A;`,
      breaks: layers,
    },
    'nor into a folder that has no place in the order': {
      file: 'host-server/rows/helped.ts',
      code: `export * from '../helpers/h.ts';`,
      breaks: layers,
    },
    'but downwards': {
      file: 'host-server/rows/down.ts',
      code: `import type { A } from '../query/select.ts'; export type B = A;`,
    },
    'while what a room is made of comes from any': {
      file: 'host-server/facades/bind.ts',
      code: `export * from '../plugins/tokens.ts';`,
    },
    'and a test uses what stands above': {
      file: 'host-server/sql/up.test.ts',
      code: `export * from '../rows/tokens.ts';`,
    },
  },
  'connections to other machines go through the outbound gate': {
    'and not by the fetch of Node': {
      file: `${rating}/server/fetches.ts`,
      code: `export const a = () => fetch('https://example.com');`,
      breaks: ['trellis(outbound-gate)'],
    },
    'nor by another name of it': {
      file: 'host-server/facades/fetches.ts',
      code: `export const a = () => globalThis.fetch('https://example.com');`,
      breaks: ['trellis(outbound-gate)'],
    },
    'nor by handing it on': {
      file: `${rating}/server/hands-on.ts`,
      code: `declare const give: (by: typeof fetch) => number; export const a = give(fetch);`,
      breaks: ['trellis(outbound-gate)'],
    },
    'nor by a socket of the browser': {
      file: `${rating}/server/listens.ts`,
      code: `export const a = () => new WebSocket('wss://example.com');`,
      breaks: ['trellis(outbound-gate)'],
    },
    'nor by a module of Node': {
      file: `${rating}/server/calls.ts`,
      code: `import { request } from 'node:https'; export const a = () => request('https://example.com');`,
      breaks: ['trellis(outbound-gate)'],
    },
    'nor by one that is loaded later': {
      file: 'host-server/rows/calls.ts',
      code: `export const a = () => import('net');`,
      breaks: ['trellis(outbound-gate)'],
    },
    'nor by the library behind it': {
      file: 'sdk/server/calls.ts',
      code: `export * from 'undici';`,
      breaks: ['trellis(outbound-gate)'],
    },
    'while types call nobody': {
      file: 'host-server/http/typed.ts',
      code: `import type { IncomingMessage } from 'node:http'; export type A = IncomingMessage;`,
    },
    'and the fetch of the gate is another one': {
      file: `${rating}/server/asks.ts`,
      code: `declare const gate: { fetch(url: string): Promise<unknown> }; export const a = () => gate.fetch('https://example.com');`,
    },
    'where it is allowed': {
      file: 'host-server/runtime/outbound/outbound-fetch.ts',
      code: `import { request } from 'node:https'; export const a = () => request('https://example.com');`,
    },
    'and in tests': {
      file: `${rating}/server/calls.test.ts`,
      code: `import { expect, test } from '@jest/globals'; test('calls', async () => expect(await fetch('http://127.0.0.1')).toBeDefined());`,
    },
  },
  'databases are told apart in dialects alone': {
    'and not by a comparison in the row store': {
      file: 'host-server/rows/names.ts',
      code: `export const a = (dialect: { name: string }) => dialect.name === 'mysql';`,
      breaks: ['trellis(dialect-name)'],
    },
    'nor by a case in a plugin': {
      file: `${rating}/server/names.ts`,
      code: `export function a(name: string) { switch (name) { case 'sqlite': return 1; default: return 2; } }`,
      breaks: ['trellis(dialect-name)'],
    },
    'where it is allowed': {
      file: 'host-server/dialects/topic/names.ts',
      code: `export const a = (name: string) => name !== 'postgres';`,
    },
  },
  'SQL by hand stays in its three folders': {
    'and out of the record store': {
      file: 'host-server/rows/a.ts',
      code: `import knex from 'knex'; export const a = knex({}).raw('select 1');`,
      breaks: ['trellis(raw-sql)'],
    },
    'and out of plugins': {
      file: `${rating}/server/p.ts`,
      code: `declare const q: { whereRaw(sql: string): number }; export const a = q.whereRaw('1 = 1');`,
      breaks: ['trellis(raw-sql)'],
    },
    'where it is allowed': {
      file: 'host-server/query/b.ts',
      code: `import knex from 'knex'; export const a = knex({}).raw('select 1');`,
    },
    'and String.raw is something else': {
      file: 'host-server/c2.ts',
      code: 'export const a = String.raw`\\d`;',
    },
  },
  'the code says what it means': {
    'without any': {
      file: 'core/q.ts',
      code: 'export const a = (b: any): unknown => b;',
      breaks: ['typescript(no-explicit-any)'],
    },
    'without floating promises': {
      file: 'core/r.ts',
      code: 'const a = async (): Promise<void> => {}; a();',
      breaks: ['typescript(no-floating-promises)'],
    },
    'without the console': { file: 'core/s.ts', code: `console.log('x');`, breaks: ['eslint(no-console)'] },
    'without swallowing': {
      file: 'core/t.ts',
      code: 'export function a(): void { try { JSON.parse(""); } catch {} }',
      breaks: ['eslint(no-empty)'],
    },
    'without HTML that is no React text': {
      file: 'host-web/markup.tsx',
      code: 'export const A = (p: { html: string }) => <p dangerouslySetInnerHTML={{ __html: p.html }} />;',
      breaks: ['react(no-danger)'],
    },
    'without addresses that run code': {
      file: 'host-web/link.ts',
      code: `export const a = 'javascript:alert(1)';`,
      breaks: ['eslint(no-script-url)'],
    },
    'without non-null assertions': {
      file: 'core/u.ts',
      code: 'export const a = (b?: string): string => b!;',
      breaks: ['typescript(no-non-null-assertion)'],
    },
    'without lists of five parameters': {
      file: 'core/parameters.ts',
      code: 'export const a = (b: number, c: number, d: number, e: number, f: number): number => b + c + d + e + f;',
      breaks: ['eslint(max-params)'],
    },
    'but for a table of cases in a test': {
      file: 'core/parameters.test.ts',
      code: 'export const a = (b: number, c: number, d: number, e: number, f: number): number => b + c + d + e + f;',
    },
    'unless a reason stands beside': {
      file: 'core/v.ts',
      code: `// oxlint-disable-next-line typescript/no-non-null-assertion -- the caller has checked it
        export const a = (b?: string): string => b!;`,
    },
    'and a suppression without one is refused': {
      file: 'core/w.ts',
      code: `// oxlint-disable-next-line typescript/no-non-null-assertion
        export const a = (b?: string): string => b!;`,
      breaks: ['trellis(reasoned-suppression)'],
    },
    'without ts-ignore': {
      file: 'core/x.ts',
      code: '// @ts-ignore because\nexport const a: string = 1;',
      breaks: ['typescript(ban-ts-comment)'],
    },
  },
};

const repository = resolve(import.meta.dirname, '../..');
const found = new Map<string, string[]>();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-lint-'));
  // Packages stand one folder up, where TypeScript finds them and the linter does not walk.
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const project = join(folder, 'project');
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), text);
  };
  for (const suite of Object.values(suites)) {
    for (const { file, code } of Object.values(suite)) write(file, `${code}\n`);
  }
  write(`${rating}/plugin.json`, ratingManifest);
  write('tsconfig.json', JSON.stringify({ extends: join(repository, 'tsconfig.json'), include: ['.'] }));
  const lint = spawnSync(
    process.execPath,
    [
      join(repository, 'node_modules/oxlint/bin/oxlint'),
      `--config=${join(repository, 'tests/lint/oxlint.json')}`,
      '--type-aware',
      '--format=json',
      '.',
    ],
    { cwd: project, encoding: 'utf8' },
  );
  const report = JSON.parse(lint.stdout) as { diagnostics: { code: string; filename: string }[] };
  for (const { code, filename } of report.diagnostics)
    found.set(filename, [...(found.get(filename) ?? []), code]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

for (const [title, snippets] of Object.entries(suites)) {
  describe(title, () => {
    test.each(Object.entries(snippets))('%s', (_name, { file, breaks }) => {
      expect([...new Set(found.get(file) ?? [])].sort()).toEqual([...(breaks ?? [])].sort());
    });
  });
}
