import { expect, test } from '@jest/globals';
import { afterSecondRun, filesToRepeat } from './second-run.mjs';

const run = (failures: readonly string[], passed = 10) => ({
  passed,
  failed: failures.length,
  failures,
  files: [...new Set(failures.map((line) => `/root/${line.split(':')[0]}`))],
});
const two = run(['a.test.ts: adds: 1 is not 2', 'b.test.ts: waits: nothing came']);

test('a few files that failed are run again; many, or a run that broke off, are not', () => {
  expect(filesToRepeat(run([]))).toEqual([]);
  expect(filesToRepeat(two)).toEqual(['/root/a.test.ts', '/root/b.test.ts']);
  expect(filesToRepeat(run(Array.from({ length: 6 }, (_, index) => `${index}.test.ts: x: y`)))).toEqual([]);
  expect(filesToRepeat({ ...two, failed: 3 })).toEqual([]);
});

test('what passes by itself has not failed, and is told of', () => {
  expect(afterSecondRun(two, run([], 7))).toMatchObject({
    passed: 12,
    failed: 0,
    failures: [],
    unsteady: two.failures,
  });
});

test('what fails again has failed', () => {
  const second = run(['b.test.ts: waits: nothing came']);
  expect(afterSecondRun(two, second)).toMatchObject({
    passed: 11,
    failed: 1,
    failures: second.failures,
    unsteady: ['a.test.ts: adds: 1 is not 2'],
  });
});

test('a second run of which nothing is heard has failed', () => {
  const silent = { passed: 0, failed: 1, failures: [], files: [] };
  expect(afterSecondRun(two, silent)).toMatchObject({ failed: 1 });
});
