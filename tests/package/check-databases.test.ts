import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { SERVERS } from '../../host-server/databases/testing/test-servers.ts';
import { testManifest } from '../../sdk/testing/test-manifest.ts';
import { type Answer, OutsideFolder, packSdkInto } from './outside-folder.ts';

/*
 * What `trellis-plugin check` finds on servers whose addresses it is given, of types that are right on SQLite.
 */

const tarballs = mkdtempSync(join(tmpdir(), 'trellis-sdk-'));
const outside = new OutsideFolder();
const id = 'acme-counts';
const folder = join(outside.path, id);

/** How a type reads what is not empty, by what it is kept as. */
const readings = {
  string: `({ ok: true, value: String(input) })`,
  integer: `Number.isSafeInteger(Number(input)) ? { ok: true, value: Number(input) } : { ok: false, message: 'must be whole' }`,
};

/** A type with one example. */
const typeOf = (name: string, storage: 'string' | 'integer', example: string) => `
  const ${name} = defineColumnType({
    id: '${name}',
    label: '${name}',
    icon: 'tag',
    storage: '${storage}',
    fallback: 'LongText',
    accepts: ['${storage}', 'text'],
    operators: ['eq'],
    examples: [{ input: ${example}, value: ${example} }],
    parse: (input) =>
      input === null || input === undefined || input === '' ? { ok: true, value: null } : ${readings[storage]},
    format: (value) => (value === null ? '' : String(value)),
  });`;

/** The plugin with these types. */
const sourcesOf = (types: readonly string[]) => ({
  'package.json': '{ "type": "module" }',
  'tsconfig.json': '{ "extends": "@trellis/sdk/tsconfig.json" }',
  'plugin.json': JSON.stringify({
    ...testManifest(id, 'Counts'),
    contributes: { columnTypes: types.map((type) => ({ id: type })) },
  }),
  'shared/types.ts': `
    import { defineColumnType } from '@trellis/sdk/shared';
    ${typeOf('AcmeMood', 'string', `'glad'`)}
    ${typeOf('AcmeVisits', 'integer', '3_000_000_000')}
    ${typeOf('AcmeNote', 'string', `'long'.repeat(75)`)}
    export const types = [${types.join(', ')}];`,
  'server/index.ts': `
    import { defineServerPlugin } from '@trellis/sdk/server';
    import { types } from '../shared/types.ts';
    export default defineServerPlugin({
      setup(ctx) {
        for (const type of types) ctx.register('columnTypes', type as never);
      },
    });`,
  'web/index.tsx': `
    import { defineWebPlugin } from '@trellis/sdk/web';
    import { types } from '../shared/types.ts';
    export default defineWebPlugin({
      setup(ctx) {
        for (const type of types) ctx.register('columnTypes', { ...type, Editor: 'text' } as never);
      },
    });`,
});

/** Right everywhere, too large for 32 bits, and too long for a text that is not called a long one. */
const all = ['AcmeMood', 'AcmeVisits', 'AcmeNote'];

/** Types of which something is told, with the database that it is told of. */
function toldOf(output: string): readonly string[] {
  const told = [...output.matchAll(/● column type (\w+) on (\w+)/g)].map(
    ([, type, on]) => `${type} on ${on}`,
  );
  return [...new Set(told)].toSorted();
}

function write(types: readonly string[]): void {
  const files = Object.entries(sourcesOf(types)).map(([file, text]) => [join(id, file), text]);
  outside.write(Object.fromEntries(files) as Record<string, string>);
}

beforeAll(() => {
  write(all);
  const { sdk } = packSdkInto(tarballs);
  outside.install('@trellis/sdk', sdk, folder);
});

afterAll(() => {
  outside.dispose();
  rmSync(tarballs, { recursive: true, force: true });
});

/** @param servers addresses by the variables that name them */
const check = (servers: NodeJS.ProcessEnv) => outside.trellisPlugin(['check'], folder, servers);

/** The servers that there are, by the variables that name them. */
const given: Record<string, string> = {};
const answers = new Map<string, Answer>();

/** What a check of these types says on all servers that there are. */
function answerOn(types: readonly string[]): Answer {
  const name = types.join();
  if (!answers.has(name)) {
    write(types);
    answers.set(name, check(given));
  }
  return answers.get(name) as Answer;
}

describeEachServer('trellis-plugin check', (kind) => {
  const [variable, usual] = SERVERS[kind];
  given[variable] = process.env[variable] ?? usual;

  test('tells which type has examples that the server does not keep, and of no other type or of SQLite', () => {
    const { status, output } = answerOn(all);
    expect([status, output]).toEqual([1, expect.stringContaining('ok      imports\nFAILED  promises')]);
    const wrong = { postgres: ['AcmeVisits'], mysql: ['AcmeNote', 'AcmeVisits'] }[kind];
    const told = toldOf(output);
    expect(told.filter((line) => line.endsWith(` on ${kind}`))).toEqual(
      wrong.map((type) => `${type} on ${kind}`),
    );
    expect(told.filter((line) => line.endsWith(' on sqlite'))).toEqual([]);
    // With the example and the reason.
    expect(output).toMatch(
      /"input": 3000000000,[^]{0,200}"msg": "(?!The filter)[^"]*must be from -2147483648 to 2147483647/,
    );
  });

  test('passes types that the server keeps, and says that it tried them there', () => {
    const name = { postgres: 'PostgreSQL', mysql: 'MySQL' }[kind];
    expect(answerOn(['AcmeMood'])).toEqual({
      status: 0,
      output: expect.stringMatching(
        /^ok {6}manifest\nok {6}types\nok {6}imports\nok {6}promises: column types on SQLite(?:, \w+)+\n$/,
      ),
    });
    expect(answerOn(['AcmeMood']).output).toContain(`, ${name}`);
  });

  test('says so in a sentence where the server cannot be used, without its password', () => {
    const { status, output } = check({ [variable]: `${kind}://nobody:hush-hush@127.0.0.1:1/` });
    expect([status, output]).toEqual([
      1,
      expect.stringContaining(`No database can be made on the server that ${variable} names: `),
    ]);
    expect(toldOf(output)).toEqual([]);
    expect(output).not.toContain('hush-hush');
  });
});

test('trellis-plugin check passes what the servers of its tests would not keep where it is given none', () => {
  write(all);
  expect(check({})).toEqual({
    status: 0,
    output: 'ok      manifest\nok      types\nok      imports\nok      promises\n',
  });
});
