import { describe, expect, jest, test } from '@jest/globals';
import { TimeLimitError, withTimeLimit } from './clock.ts';
import { toDisposable } from './disposable.ts';
import { DisposableStore } from './disposable-store.ts';
import { Emitter } from './emitter.ts';
import { LeakTracker } from './leak-tracker.ts';
import { ManualClock } from './manual-clock.ts';
import { createAbortController, startTimer } from './platform.ts';
import { onUnexpectedError, setUnexpectedErrorHandler } from './unexpected-error.ts';

describe('a disposable', () => {
  test('runs its undo once and answers the same every time', async () => {
    const undo = jest.fn(async () => undefined);
    const disposable = toDisposable(undo);
    const first = disposable.dispose();
    expect(disposable.dispose()).toBe(first);
    await first;
    expect(undo).toHaveBeenCalledTimes(1);
  });
});

describe('a store of disposables', () => {
  test('disposes the last one first, each after the one before has finished', async () => {
    const steps: string[] = [];
    const store = new DisposableStore();
    store.add(toDisposable(() => void steps.push('first')));
    store.add(
      toDisposable(async () => {
        steps.push('second starts');
        await new Promise(setImmediate);
        steps.push('second ends');
      }),
    );
    store.add(toDisposable(() => void steps.push('third')));
    await store.dispose();
    expect(steps).toEqual(['third', 'second starts', 'second ends', 'first']);
    expect(store.size).toBe(0);
  });

  test('attempts all and reports every failure', async () => {
    const store = new DisposableStore();
    const last = jest.fn<() => void>();
    store.add(toDisposable(() => last()));
    store.add(
      toDisposable(() => {
        throw new Error('one');
      }),
    );
    store.add(toDisposable(() => Promise.reject(new Error('two'))));
    const failure = await store.dispose().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AggregateError);
    expect((failure as AggregateError).errors.map(String)).toEqual(['Error: two', 'Error: one']);
    expect(last).toHaveBeenCalledTimes(1);
  });

  test('disposes at once what comes too late, and says so', async () => {
    const store = new DisposableStore();
    await store.dispose();
    const undo = jest.fn<() => void>();
    expect(() => store.add(toDisposable(undo))).toThrow(/disposed store/);
    expect(undo).toHaveBeenCalledTimes(1);
  });

  test('may be disposed again by one of its own items', async () => {
    const store = new DisposableStore();
    const undo = jest.fn<() => void>();
    store.add(toDisposable(undo));
    store.add(toDisposable(() => void store.dispose()));
    await store.dispose();
    expect(undo).toHaveBeenCalledTimes(1);
  });

  test('leaves alone what was released', async () => {
    const store = new DisposableStore();
    const undo = jest.fn<() => void>();
    store.release(store.add(toDisposable(undo)));
    await store.dispose();
    expect(undo).not.toHaveBeenCalled();
  });
});

describe('the leak tracker', () => {
  test('names where an undisposed thing was created and forgets disposed ones', async () => {
    const leaks = LeakTracker.install();
    try {
      await toDisposable(() => undefined).dispose();
      leaks.assertNone();
      const forgotten = toDisposable(() => undefined);
      expect(leaks.leaks().map((leak) => leak.disposable)).toEqual([forgotten]);
      expect(leaks.leaks()[0]?.stack).toContain('lifecycle.test.ts');
      expect(() => leaks.assertNone()).toThrow(/1 disposables were never disposed/);
    } finally {
      leaks.uninstall();
    }
  });

  test('is installed once at a time', () => {
    const leaks = LeakTracker.install();
    try {
      expect(() => LeakTracker.install()).toThrow(/already installed/);
    } finally {
      leaks.uninstall();
    }
  });
});

describe('an emitter', () => {
  test('goes on past a listener that throws and reports the error', () => {
    const onError = jest.fn();
    const emitter = new Emitter<number>({ onError });
    const heard: number[] = [];
    const failure = new Error('broken');
    emitter.event(() => {
      throw failure;
    });
    emitter.event((value) => heard.push(value));
    emitter.fire(7);
    expect(heard).toEqual([7]);
    expect(onError).toHaveBeenCalledWith(failure);
  });

  test('skips listeners removed meanwhile and keeps new ones for the next event', async () => {
    const emitter = new Emitter<string>();
    const heard: string[] = [];
    emitter.event((value) => {
      void second.dispose();
      if (value === 'one') emitter.event((next) => heard.push(`new ${next}`));
    });
    const second = emitter.event((value) => heard.push(`second ${value}`));
    emitter.fire('one');
    emitter.fire('two');
    expect(heard).toEqual(['new two']);
  });

  test('counts the same function twice when it listens twice', async () => {
    const emitter = new Emitter<void>();
    const listener = jest.fn();
    const first = emitter.event(listener);
    emitter.event(listener);
    emitter.fire();
    await first.dispose();
    emitter.fire();
    expect(listener).toHaveBeenCalledTimes(3);
    expect(emitter.size).toBe(1);
  });

  test('calls nobody after it was disposed', () => {
    const emitter = new Emitter<void>();
    const listener = jest.fn();
    emitter.event(listener);
    emitter.dispose();
    emitter.event(listener);
    emitter.fire();
    expect(listener).not.toHaveBeenCalled();
    expect(emitter.size).toBe(0);
  });

  test('hands errors to the process-wide handler by default', async () => {
    const handler = jest.fn();
    const undo = setUnexpectedErrorHandler(handler);
    const emitter = new Emitter<void>();
    emitter.event(() => {
      throw new Error('broken');
    });
    emitter.fire();
    onUnexpectedError('plain');
    await undo.dispose();
    expect(handler.mock.calls.map(([error]) => String(error))).toEqual(['Error: broken', 'plain']);
  });
});

describe('a time limit', () => {
  test('gives up what hangs and names it', async () => {
    const clock = new ManualClock();
    const waiting = withTimeLimit(clock, 10_000, 'The import', () => new Promise<void>(() => undefined));
    clock.advance(10_000);
    const error = await waiting.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TimeLimitError);
    expect((error as Error).message).toBe('The import took longer than 10000 ms and was given up.');
  });

  test('begins anew with each step of the work, and gives up what stands still', async () => {
    const clock = new ManualClock();
    let step = () => undefined as void;
    let error: unknown;
    const waiting = withTimeLimit(clock, 10_000, 'The import', (again) => {
      step = again;
      return new Promise<void>(() => undefined);
    }).catch((reason: unknown) => void (error = reason));
    for (let at = 0; at < 5; at += 1) {
      clock.advance(9000);
      step();
    }
    clock.advance(9999);
    await Promise.resolve();
    expect(error).toBeUndefined();
    clock.advance(1);
    await waiting;
    expect(error).toBeInstanceOf(TimeLimitError);
    expect(clock.waiting).toBe(0);
  });

  test('leaves no timer behind, whatever the outcome', async () => {
    const clock = new ManualClock();
    expect(await withTimeLimit(clock, 5, 'x', () => 3)).toBe(3);
    await expect(
      withTimeLimit(clock, 5, 'x', () => {
        throw new Error('at once');
      }),
    ).rejects.toThrow('at once');
    await expect(withTimeLimit(clock, 5, 'x', () => Promise.reject(new Error('later')))).rejects.toThrow(
      'later',
    );
    expect(clock.waiting).toBe(0);
  });
});

describe('the platform', () => {
  test('lends its own abort signal and timers', async () => {
    const controller = createAbortController();
    expect(controller.signal).toBeInstanceOf(AbortSignal);
    controller.abort('reason');
    expect(controller.signal.aborted).toBe(true);
    await new Promise<void>((resolve) => startTimer(1, resolve));
    startTimer(1, () => {
      throw new Error('a stopped timer ran');
    })();
    await new Promise<void>((resolve) => startTimer(5, resolve));
  });
});
