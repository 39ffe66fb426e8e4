import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '../lifecycle/manual-clock.ts';
import { toDisposable } from '../lifecycle/disposable.ts';
import { ErrorBudget, type BudgetSubject } from './error-budget.ts';
import { defineErrors } from './error-catalogue.ts';
import { errorOrigin, recordErrorOrigin } from './error-origin.ts';
import { nearestWord } from './nearest-word.ts';
import { isExpected, TrellisError, Veto } from './trellis-error.ts';

describe('expected errors', () => {
  test('are vetoes and typed errors, also those of a second copy of the package', () => {
    expect(isExpected(new TrellisError('X', 'x'))).toBe(true);
    expect(isExpected(new Veto('X', 'x'))).toBe(true);
    expect(isExpected({ [Symbol.for('trellis.expected-error')]: true })).toBe(true);
    expect(isExpected(new Error('x'))).toBe(false);
    expect(isExpected('x')).toBe(false);
    expect(isExpected(undefined)).toBe(false);
  });

  test('carry code, status, parameters and cause', () => {
    const cause = new Error('below');
    const error = new TrellisError('TABLE_EXISTS', 'text', { status: 409, params: { title: 'T' }, cause });
    expect(error).toMatchObject({ code: 'TABLE_EXISTS', status: 409, params: { title: 'T' }, cause });
    expect(new Veto('NO', 'no')).toMatchObject({ status: 400, name: 'Veto', params: {} });
    expect(new Veto('NO', 'no', {}, { status: 403 }).status).toBe(403);
    expect(new TrellisError('X', 'x').status).toBe(500);
  });
});

describe('an error catalogue', () => {
  const tables = defineErrors(
    {
      TABLE_EXISTS: { status: 409, message: "Table '{title}' exists in '{base}'." },
      TABLE_GONE: { status: 404, message: 'The table is gone.' },
    },
    'sys-tables',
  );

  test('fills the text and keeps code, status and parameters', () => {
    const error = tables.create('TABLE_EXISTS', { title: 'A', base: 'B' });
    expect(error).toMatchObject({
      code: 'TABLE_EXISTS',
      status: 409,
      message: "Table 'A' exists in 'B'.",
      params: { title: 'A', base: 'B' },
    });
    expect(tables.create('TABLE_GONE').message).toBe('The table is gone.');
  });

  test('makes the compiler ask for the parameters that the text names', () => {
    const misuse = () => {
      // @ts-expect-error the text names {base} as well
      tables.create('TABLE_EXISTS', { title: 'A' });
      // @ts-expect-error there is no such code
      tables.create('TABLE_LOST');
    };
    expect(misuse).toThrow(/'TABLE_LOST' is not in this catalogue/);
  });
});

describe('the error budget', () => {
  function subject(owner: string, description: string) {
    const state = { suspended: 0 };
    const value: BudgetSubject = {
      owner,
      description,
      suspend: () => {
        state.suspended += 1;
        return toDisposable(() => {
          state.suspended -= 1;
        });
      },
    };
    return { state, value };
  }

  test('is spent by twenty errors within a minute, not by twenty in more', () => {
    const clock = new ManualClock();
    const budget = new ErrorBudget({ clock });
    const slow = subject('plugin', 'slow');
    for (let error = 0; error < 40; error += 1) {
      budget.charge(slow.value, new Error('x'));
      clock.advance(3_500);
    }
    expect(slow.state.suspended).toBe(0);
    const fast = subject('plugin', 'fast');
    for (let error = 0; error < 19; error += 1) budget.charge(fast.value, new Error('x'));
    expect(fast.state.suspended).toBe(0);
    budget.charge(fast.value, new Error('x'));
    expect(fast.state.suspended).toBe(1);
  });

  test('tells once whose budget is spent', () => {
    const budget = new ErrorBudget({ limit: 2 });
    const told: unknown[] = [];
    budget.onDidExhaust(({ owner, description }) => told.push([owner, description]));
    const item = subject('plugin', 'item');
    for (let error = 0; error < 6; error += 1) budget.charge(item.value, new Error('x'));
    expect(told).toEqual([['plugin', 'item']]);
  });

  test('is fresh after a resume, and forgotten subjects stay as they are', async () => {
    const budget = new ErrorBudget({ limit: 2 });
    const item = subject('plugin', 'item');
    const spend = () => {
      budget.charge(item.value, new Error('x'));
      budget.charge(item.value, new Error('x'));
    };
    spend();
    await budget.resume('plugin');
    expect(item.state.suspended).toBe(0);
    spend();
    budget.forget('plugin');
    expect(budget.suspendedOf('plugin')).toEqual([]);
    expect(item.state.suspended).toBe(1);
  });
});

test('the origin of an error is the innermost plugin', () => {
  const error = new Error('x');
  recordErrorOrigin(error, { owner: 'inner', where: 'hook a' });
  recordErrorOrigin(error, { owner: 'outer', where: 'hook b' });
  recordErrorOrigin('text', { owner: 'outer', where: 'hook b' });
  expect(errorOrigin(error)?.owner).toBe('inner');
  expect(errorOrigin('text')).toBeUndefined();
});

test('the word that was meant is one in which letters are left out, changed or swapped, and no other', () => {
  const words = ['react', 'columnTypes', 'zod'];
  expect(['recat', 'reat', 'columTypes', 'columntypes'].map((wrong) => nearestWord(wrong, words))).toEqual([
    'react',
    'react',
    'columnTypes',
    'columnTypes',
  ]);
  expect(['create', 'vue', 'o'].map((wrong) => nearestWord(wrong, words))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
