import { describe, expect, jest, test } from '@jest/globals';
import { AsyncSeriesBailHook } from 'tapable';
import { ErrorBudget } from '../errors/error-budget.ts';
import { errorOrigin } from '../errors/error-origin.ts';
import { Veto } from '../errors/trellis-error.ts';
import { TimeLimitError } from '../lifecycle/clock.ts';
import { ManualClock } from '../lifecycle/manual-clock.ts';
import { setUnexpectedErrorHandler } from '../lifecycle/unexpected-error.ts';
import { HookPoint, type HookServices } from './hook-point.ts';
import type { BailSpec, DidSpec, HookPolicy, WaterfallSpec } from './hook-types.ts';

function services() {
  const contained: { error: unknown; owner: string; hookId: string }[] = [];
  const value: HookServices = {
    onContained: (error, owner, hookId) => contained.push({ error, owner, hookId }),
  };
  return { contained, value };
}

function waterfall(policy: HookPolicy = 'propagate', given: HookServices = services().value) {
  return new HookPoint<WaterfallSpec<string, { mark: string } | undefined>>(
    { id: 'record.willCreate', kind: 'waterfall', policy, description: 'Before a row is written.' },
    given,
  );
}

function didHook(given: HookServices) {
  return new HookPoint<DidSpec<number>>(
    { id: 'record.didCreate', kind: 'did', policy: 'contain', description: 'After a row was written.' },
    given,
  );
}

describe('a waterfall hook', () => {
  test('hands each handler what the one before returned, and the context', async () => {
    const hook = waterfall();
    hook.tap('a', (value, context) => `${value}a${context?.mark ?? ''}`);
    hook.tap('b', async (value) => `${await Promise.resolve(value)}b`);
    expect(await hook.call('x', { mark: '!' })).toBe('xa!b');
  });

  test('keeps the value when a handler returns undefined', async () => {
    const hook = waterfall();
    hook.tap('a', () => undefined);
    expect(await hook.call('x')).toBe('x');
  });

  test('refuses null and names the owner and the hook', async () => {
    const hook = waterfall();
    hook.tap('careless', () => null as unknown as string);
    await expect(hook.call('x')).rejects.toMatchObject({
      code: 'HOOK_FAILED',
      params: { plugin: 'careless', hook: 'record.willCreate' },
      cause: expect.objectContaining({ message: expect.stringContaining('returned null') }),
    });
  });

  test('refuses the operation with the veto of a handler and remembers whose it was', async () => {
    const hook = waterfall();
    const veto = new Veto('TITLE_TAKEN', 'This title is taken.');
    hook.tap('rules', () => {
      throw veto;
    });
    const later = jest.fn((value: string) => value);
    hook.tap('later', later);
    await expect(hook.call('x')).rejects.toBe(veto);
    expect(errorOrigin(veto)).toEqual({ owner: 'rules', where: 'hook record.willCreate' });
    expect(later).not.toHaveBeenCalled();
  });

  test.each([
    ['throws', () => Promise.reject(new Error('broken')), 'HOOK_FAILED'],
    ['gives what does not fit', () => 'y', 'HOOK_FAILED'],
    ['never answers', () => new Promise<string>(() => {}), 'HOOK_TIMEOUT'],
  ])(
    'refuses in the name of a handler that %s, and lets nothing pass it once it failed too often',
    async (_, handler, code) => {
      const clock = new ManualClock();
      const { contained, value } = services();
      const budget = new ErrorBudget({ limit: 5, clock });
      const hook = new HookPoint<WaterfallSpec<string>>(
        {
          id: 'record.willCreate',
          kind: 'waterfall',
          policy: 'propagate',
          description: 'Before a row is written.',
          check: (given: string, returned) =>
            returned === given ? undefined : `returned ${String(returned)}`,
        },
        { ...value, budget, clock, limit: 5000, nameOf: (owner) => `The ${owner}` },
      );
      hook.tap('guard', (value) => (value === 'fine' ? undefined : handler()));
      const ask = async () => {
        const asked = hook.call('x').catch((error: unknown) => error);
        if (code === 'HOOK_TIMEOUT') clock.advance(5000);
        return asked;
      };
      const allowed = code === 'HOOK_TIMEOUT' ? 0 : 4;
      for (let errors = 0; errors < allowed; errors += 1)
        expect(await ask()).toMatchObject({ code, message: expect.stringContaining("'The guard'") });
      expect(budget.refusingOf('guard')).toEqual([]);
      const outOfOrder = { code: 'HOOK_OUT_OF_ORDER', status: 503, params: { plugin: 'The guard' } };
      expect([await ask(), await ask()]).toEqual([
        expect.objectContaining({ ...outOfOrder, params: expect.objectContaining(outOfOrder.params) }),
        expect.objectContaining({ code: 'HOOK_OUT_OF_ORDER' }),
      ]);
      expect(budget.refusingOf('guard')).toEqual(['tap on record.willCreate']);
      expect(budget.suspendedOf('guard')).toEqual([]);
      expect(contained).toHaveLength(allowed + 2);
      expect(contained[0]).toMatchObject({ owner: 'guard', hookId: 'record.willCreate' });
      expect(await hook.call('fine')).toBe('fine');
      await budget.resume('guard');
      expect(await ask()).toMatchObject({ code: allowed === 0 ? 'HOOK_OUT_OF_ORDER' : code });
    },
  );

  test('goes on without a handler that failed too often where the hook says so', async () => {
    const { value } = services();
    const budget = new ErrorBudget({ limit: 2 });
    const hook = new HookPoint<WaterfallSpec<string>>(
      {
        id: 'plugin.willStop',
        kind: 'waterfall',
        policy: 'propagate',
        whenSpent: 'suspended',
        description: 'Before a plugin is switched off.',
      },
      { ...value, budget },
    );
    hook.tap('guard', () => Promise.reject(new Error('broken')));
    for (let errors = 0; errors < 2; errors += 1)
      await expect(hook.call('x')).rejects.toMatchObject({ code: 'HOOK_FAILED' });
    expect(await hook.call('x')).toBe('x');
    expect(budget.suspendedOf('guard')).toEqual(['tap on plugin.willStop']);
  });

  test('goes on past a failing handler when its policy is to contain', async () => {
    const { contained, value } = services();
    const hook = waterfall('contain', value);
    const failure = new Error('broken');
    hook.tap('good', (text) => `${text}1`);
    hook.tap('bad', () => {
      throw failure;
    });
    hook.tap('fine', (text) => `${text}2`);
    expect(await hook.call('x')).toBe('x12');
    expect(contained).toEqual([{ error: failure, owner: 'bad', hookId: 'record.willCreate' }]);
  });

  test('goes on past a handler that never answers, and without it once it kept people waiting too often', async () => {
    const clock = new ManualClock();
    const { contained, value } = services();
    const hook = waterfall('contain', {
      ...value,
      clock,
      limit: 5000,
      budget: new ErrorBudget({ limit: 10, clock }),
    });
    hook.tap('hangs', () => new Promise<string>(() => {}));
    hook.tap('fine', (text) => `${text}!`);
    for (let asked = 0; asked < 2; asked += 1) {
      const outcome = hook.call('x');
      clock.advance(5000);
      expect(await outcome).toBe('x!');
    }
    expect(await hook.call('x')).toBe('x!');
    expect(contained).toEqual([
      expect.objectContaining({ owner: 'hangs', error: expect.any(TimeLimitError) }),
      expect.objectContaining({ owner: 'hangs' }),
    ]);
  });
});

describe('a bail hook', () => {
  const bail = () =>
    new HookPoint<BailSpec<string, number>>(
      { id: 'view.willResolve', kind: 'bail', policy: 'propagate', description: 'First answer wins.' },
      services().value,
    );

  test('resolves to the first result and asks nobody after it', async () => {
    const hook = bail();
    const last = jest.fn(() => 3);
    hook.tap('a', () => undefined);
    hook.tap('b', (input) => input.length);
    hook.tap('c', last);
    expect(await hook.call('four')).toBe(4);
    expect(last).not.toHaveBeenCalled();
  });

  test('resolves to undefined when nobody answers', async () => {
    expect(await bail().call('x')).toBeUndefined();
  });
});

describe('a did hook', () => {
  test('runs its handlers in parallel and never rejects', async () => {
    const { contained, value } = services();
    const hook = didHook(value);
    const steps: string[] = [];
    hook.tap('slow', async () => {
      steps.push('slow starts');
      await new Promise(setImmediate);
      steps.push('slow ends');
    });
    hook.tap('bad', () => {
      throw new Error('broken');
    });
    hook.tap('fast', () => {
      steps.push('fast');
    });
    await expect(hook.call(1)).resolves.toBeUndefined();
    expect(steps).toEqual(['slow starts', 'fast', 'slow ends']);
    expect(contained).toHaveLength(1);
  });

  test('stays contained when even the report of the error fails', async () => {
    const unexpected = jest.fn();
    const undo = setUnexpectedErrorHandler(unexpected);
    const hook = didHook({
      onContained: () => {
        throw new Error('the log is full');
      },
    });
    hook.tap('bad', () => Promise.reject(new Error('broken')));
    await expect(hook.call(1)).resolves.toBeUndefined();
    await undo.dispose();
    expect(unexpected.mock.calls.map(String)).toEqual(['Error: the log is full']);
  });

  test('cannot be declared as refusing what already happened', () => {
    expect(
      () =>
        new HookPoint<DidSpec<number>>(
          { id: 'row.didGo', kind: 'did', policy: 'propagate', description: '' },
          services().value,
        ),
    ).toThrow(/'row.didGo'.*'contain'/);
  });
});

describe('taps', () => {
  test('run by order, then by registration, moved by before and after', async () => {
    const hook = waterfall();
    hook.tap('late', (value) => `${value} late`, { order: 10 });
    hook.tap('first', (value) => `${value} first`);
    hook.tap('second', (value) => `${value} second`);
    hook.tap('zero', (value) => `${value} zero`, { before: 'first' });
    hook.tap('last', (value) => `${value} last`, { after: 'late', order: -5 });
    expect(await hook.call('')).toBe(' zero first second late last');
    expect(hook.owners()).toEqual(['zero', 'first', 'second', 'late', 'last']);
  });

  test('that contradict each other are refused by name, and the ones before stay', async () => {
    const hook = waterfall();
    hook.tap('a', (value) => `${value}a`, { before: 'b' });
    expect(() => hook.tap('b', (value) => `${value}b`, { before: 'a' })).toThrow(/'b'.*'a'|'a'.*'b'/);
    expect(await hook.call('')).toBe('a');
  });

  test('are gone after disposal, by identity', async () => {
    const hook = waterfall();
    const handler = (value: string) => `${value}+`;
    const first = hook.tap('a', handler);
    hook.tap('a', handler);
    await first.dispose();
    await first.dispose();
    expect(hook.size).toBe(1);
    expect(await hook.call('x')).toBe('x+');
  });

  test('disposed while a call is under way are skipped by that call', async () => {
    const hook = waterfall();
    const removed = { dispose: () => undefined as void | Promise<void> };
    hook.tap('a', async (value) => {
      await removed.dispose();
      return `${value}a`;
    });
    removed.dispose = hook.tap('b', (value) => `${value}b`).dispose;
    expect(await hook.call('')).toBe('a');
  });

  test('disposed are skipped also where they failed often enough to be suspended meanwhile', async () => {
    const hook = waterfall('propagate', { ...services().value, budget: new ErrorBudget({ limit: 1 }) });
    let open = (): void => undefined;
    const isOpen = new Promise<void>((resolve) => {
      open = resolve;
    });
    hook.tap('slow', async (value) => {
      if (value === 'second') await isOpen;
    });
    const removed = { dispose: () => undefined as void | Promise<void> };
    const asked: string[] = [];
    removed.dispose = hook.tap('gone', async (value) => {
      asked.push(value);
      await removed.dispose();
      throw new Error('too late');
    }).dispose;
    const second = hook.call('second');
    await expect(hook.call('first')).rejects.toMatchObject({ code: 'HOOK_FAILED' });
    open();
    expect(await second).toBe('second');
    expect(asked).toEqual(['first']);
  });

  test('added while a call is under way wait for the next call', async () => {
    const hook = waterfall();
    let added = false;
    hook.tap('a', (value) => {
      if (!added) hook.tap('b', (text) => `${text}b`);
      added = true;
      return `${value}a`;
    });
    expect(await hook.call('')).toBe('a');
    expect(await hook.call('')).toBe('ab');
  });

  test('see neither tapable nor the hook through `this` or their arguments', async () => {
    const hook = waterfall();
    const seen: unknown[] = [];
    hook.tap('nosy', function (this: unknown, ...args: unknown[]) {
      seen.push(this, ...args);
      return undefined;
    });
    await hook.call('x');
    expect(seen).toEqual([undefined, 'x', undefined]);
  });
});

describe('the error budget', () => {
  test('suspends only the tap that fails too often, and gives it back on resume', async () => {
    const budget = new ErrorBudget({ limit: 3 });
    const hook = didHook({ onContained: () => undefined, budget });
    let broken = true;
    const bad = jest.fn(() => {
      if (broken) throw new Error('broken');
    });
    const good = jest.fn<() => void>();
    hook.tap('plugin', bad);
    hook.tap('plugin', () => good());
    for (let call = 0; call < 5; call += 1) await hook.call(call);
    expect(bad).toHaveBeenCalledTimes(3);
    expect(good).toHaveBeenCalledTimes(5);
    expect(budget.suspendedOf('plugin')).toEqual(['tap on record.didCreate']);
    // Who asks whether anybody wants to know is told of those that run.
    expect(hook.owners()).toEqual(['plugin']);

    broken = false;
    await budget.resume('plugin');
    await hook.call(6);
    expect(bad).toHaveBeenCalledTimes(4);
    expect(budget.suspendedOf('plugin')).toEqual([]);
    expect(hook.owners()).toEqual(['plugin', 'plugin']);
  });

  test('never counts vetoes and typed errors', async () => {
    const budget = new ErrorBudget({ limit: 2 });
    const hook = didHook({ onContained: () => undefined, budget });
    const strict = jest.fn(() => {
      throw new Veto('BAD_DATA', 'Bad data.');
    });
    hook.tap('plugin', strict);
    for (let call = 0; call < 10; call += 1) await hook.call(call);
    expect(strict).toHaveBeenCalledTimes(10);
  });
});

test('no hook generates code', async () => {
  const original = globalThis.Function;
  const forbidden = jest.fn(() => {
    throw new EvalError('Code generation from strings is disallowed.');
  });
  globalThis.Function = forbidden as unknown as FunctionConstructor;
  try {
    const hook = waterfall();
    hook.tap('a', (value) => `${value}a`);
    expect(await hook.call('x')).toBe('xa');
    const after = didHook(services().value);
    after.tap('a', () => undefined);
    await after.call(1);
    expect(forbidden).not.toHaveBeenCalled();

    const bare = new AsyncSeriesBailHook<[number], number>(['input']);
    bare.tapPromise('control', async () => 1);
    expect(() => bare.promise(1)).toThrow(/disallowed/);
  } finally {
    globalThis.Function = original;
  }
});
