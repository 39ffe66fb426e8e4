import { describe, expect, jest, test } from '@jest/globals';
import { toDisposable } from '../lifecycle/disposable.ts';
import { ManualClock } from '../lifecycle/manual-clock.ts';
import { PluginScope } from './plugin-scope.ts';

/** An effect that writes down when it is done and undone. */
function effect(steps: string[], name: string) {
  return () => {
    steps.push(`+${name}`);
    return toDisposable(() => void steps.push(`-${name}`));
  };
}

function deferred() {
  let finish: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { promise, finish };
}

describe('while setup runs', () => {
  test('nothing happens before commit, and then everything in order', () => {
    const steps: string[] = [];
    const scope = new PluginScope('p');
    scope.stage(effect(steps, 'a'));
    scope.stage(effect(steps, 'b'));
    expect(steps).toEqual([]);
    scope.commit();
    expect(steps).toEqual(['+a', '+b']);
    expect(scope.phase).toBe('active');
  });

  test('what was withdrawn before commit is never done', async () => {
    const steps: string[] = [];
    const scope = new PluginScope('p');
    const staged = scope.stage(effect(steps, 'a'));
    await staged.dispose();
    scope.commit();
    expect(steps).toEqual([]);
    expect(scope.size).toBe(0);
  });

  test('an effect may stage another one, which is done once', () => {
    const steps: string[] = [];
    const scope = new PluginScope('p');
    scope.stage(() => {
      scope.stage(effect(steps, 'inner'));
      return effect(steps, 'outer')();
    });
    scope.commit();
    expect(steps).toEqual(['+inner', '+outer']);
  });
});

describe('a commit that fails', () => {
  test('undoes what it had done, in reverse order and in the same turn', () => {
    const steps: string[] = [];
    const scope = new PluginScope('p');
    scope.stage(effect(steps, 'a'));
    scope.stage(effect(steps, 'b'));
    scope.stage(() => {
      throw new Error('duplicate id');
    });
    scope.stage(effect(steps, 'never'));
    expect(() => scope.commit()).toThrow('duplicate id');
    expect(steps).toEqual(['+a', '+b', '-b', '-a']);
    expect(() => scope.stage(effect(steps, 'late'))).toThrow(/'p' is no longer active/);
    expect(() => scope.commit()).toThrow(/cannot be committed/);
  });
});

describe('an active scope', () => {
  test('does things at once and undoes them by identity', async () => {
    const steps: string[] = [];
    const scope = new PluginScope('p');
    scope.commit();
    const a = scope.stage(effect(steps, 'a'));
    scope.stage(effect(steps, 'b'));
    await a.dispose();
    await a.dispose();
    expect(steps).toEqual(['+a', '+b', '-a']);
    await scope.close(0);
    expect(steps).toEqual(['+a', '+b', '-a', '-b']);
  });

  test('does not grow when a plugin adds and removes again and again', async () => {
    const scope = new PluginScope('p');
    scope.commit();
    for (let round = 0; round < 100; round += 1) {
      await scope.stage(() => toDisposable(() => undefined)).dispose();
      await scope.own(toDisposable(() => undefined)).dispose();
    }
    expect(scope.size).toBe(0);
  });
});

describe('closing', () => {
  test('undoes effects, lets work finish, aborts, then disposes what that work may have used', async () => {
    const steps: string[] = [];
    const scope = new PluginScope('p', new ManualClock());
    scope.own(toDisposable(() => void steps.push('pool closed')));
    scope.stage(effect(steps, 'route'));
    scope.commit();
    scope.signal.addEventListener('abort', () => steps.push('aborted'));
    const request = deferred();
    void scope.track(request.promise.then(() => void steps.push('request finished')));
    expect(scope.inFlight).toBe(1);

    const closing = scope.close(10_000);
    await new Promise(setImmediate);
    expect(steps).toEqual(['+route', '-route']);
    request.finish();
    await closing;
    expect(steps).toEqual(['+route', '-route', 'request finished', 'aborted', 'pool closed']);
    expect(scope.phase).toBe('closed');
  });

  test('aborts work that is not done after the limit', async () => {
    const clock = new ManualClock();
    const scope = new PluginScope('p', clock);
    scope.commit();
    void scope.track(new Promise(() => undefined));
    const closing = scope.close(10_000);
    await new Promise(setImmediate);
    expect(scope.signal.aborted).toBe(false);
    clock.advance(10_000);
    await closing;
    expect(scope.signal.aborted).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  test('is not held up by work that fails', async () => {
    const clock = new ManualClock();
    const scope = new PluginScope('p', clock);
    scope.commit();
    const request = deferred();
    const work = scope.track(request.promise.then(() => Promise.reject(new Error('request failed'))));
    const closing = scope.close(10_000);
    request.finish();
    await expect(work).rejects.toThrow('request failed');
    await closing;
    expect(clock.waiting).toBe(0);
  });

  test('attempts everything and reports all that failed', async () => {
    const scope = new PluginScope('p');
    const last = jest.fn<() => void>();
    scope.own(toDisposable(() => Promise.reject(new Error('pool'))));
    scope.own(toDisposable(last));
    scope.stage(() =>
      toDisposable(() => {
        throw new Error('tap');
      }),
    );
    scope.commit();
    const failure = await scope.close(0).catch((error: unknown) => error);
    expect((failure as AggregateError).errors.map(String)).toEqual(['Error: tap', 'Error: pool']);
    expect(last).toHaveBeenCalledTimes(1);
    expect(scope.signal.aborted).toBe(true);
  });

  test('turns away whoever comes later, without leaking what they bring', async () => {
    const scope = new PluginScope('p');
    await scope.close(0);
    const undo = jest.fn<() => void>();
    expect(() => scope.own(toDisposable(undo))).toThrow(/'p' is no longer active.*ctx.signal/);
    expect(undo).toHaveBeenCalledTimes(1);
    expect(() => scope.stage(() => toDisposable(undo))).toThrow(/no longer active/);
  });
});
