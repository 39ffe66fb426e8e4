import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Api } from 'nocodb-sdk';
import { callsOf } from './ground.ts';

test('every call of the published client is driven by a suite of this folder', () => {
  const folder = import.meta.dirname;
  const suites = readdirSync(folder)
    .filter((file) => file.endsWith('.test.ts') && file !== 'every-call.test.ts')
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  const calls = callsOf(new Api({ baseURL: 'http://nowhere.test' }));
  expect(calls.length).toBeGreaterThan(130);
  const driven = (call: string) => new RegExp(`\\b${call.replace('.', '\\s*\\.')}\\(`).test(suites);
  expect(calls.filter((call) => !driven(call))).toEqual([]);
});
