import { expect, test } from '@jest/globals';
import { afterSecondRun, filesToRepeat } from './second-run.mjs';

const run = (failures: readonly string[], passing: readonly string[] = []) => ({
  passed: 10,
  failed: failures.length,
  failures,
  files: [...new Set(failures.map((line) => `/root/${line.split(':')[0]}`))],
  passing,
});
const [adds, waits] = ['a.test.ts: adds: 1 is not 2', 'a.test.ts: waits: nothing came'] as const;
const two = run([adds, waits]);

test('a few files that failed are run again; many, or a run that broke off, are not', () => {
  expect(filesToRepeat(run([]))).toEqual([]);
  expect(filesToRepeat(two)).toEqual(['/root/a.test.ts']);
  expect(filesToRepeat(run(Array.from({ length: 6 }, (_, index) => `${index}.test.ts: x: y`)))).toEqual([]);
  expect(filesToRepeat({ ...two, failed: 3 })).toEqual([]);
});

test('what passes by itself has not failed, and is told of', () => {
  expect(afterSecondRun(two, run([], ['a.test.ts: adds', 'a.test.ts: waits']))).toMatchObject({
    passed: 12,
    failed: 0,
    failures: [],
    unsteady: [adds, waits],
  });
});

test('what fails again has failed, and the other tests of its file have not', () => {
  const second = run(['a.test.ts: waits: nothing came again'], ['a.test.ts: adds']);
  expect(afterSecondRun(two, second)).toMatchObject({ passed: 11, unsteady: [adds] });
  expect(afterSecondRun(two, second).failed).toBeGreaterThan(0);
});

test.each([
  ['in which it is skipped', run([])],
  ['of which nothing is heard', { passed: 0, failed: 1, failures: [], files: [], passing: [] }],
])('a second run %s says nothing for a test', (_what, second) => {
  const said = afterSecondRun(two, second);
  expect(said).toMatchObject({ passed: 10, failures: two.failures, unsteady: [] });
  expect(said.failed).toBeGreaterThanOrEqual(2);
});
