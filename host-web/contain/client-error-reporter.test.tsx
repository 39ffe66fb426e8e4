import { describe, expect, test } from '@jest/globals';
import { ApiError, type ApiClient, type ApiRequest } from '@trellis/sdk/web';
import { ClientErrorReporter } from './client-error-reporter.ts';
import { Diagnostics, type Diagnostic } from './diagnostics.ts';

function problem(message: string, pluginId = 'stars', where = 'setup'): Diagnostic {
  return { pluginId, where, message, time: 0 };
}

/** A reporter, with what decides over it and what it sent. */
function setUp({ refuse = false } = {}) {
  const sent: unknown[] = [];
  const state = { isSignedIn: true, now: 0 };
  const api = {
    request: (request: ApiRequest) => {
      sent.push(request.body);
      return refuse ? Promise.reject(new ApiError(503, 'Away')) : Promise.resolve(undefined);
    },
  } as unknown as ApiClient;
  const reporter = new ClientErrorReporter(api, {
    isSignedIn: () => state.isSignedIn,
    now: () => state.now,
  });
  return { reporter, sent, state };
}

describe('the server is told of what went wrong in a browser', () => {
  test('at once, when somebody is signed in', async () => {
    const { reporter, sent } = setUp();
    await reporter.report(problem('no paper'));
    expect(sent).toEqual([{ pluginId: 'stars', where: 'setup', message: 'no paper' }]);
  });

  test('with the place in the file that its stack names, or that of what caused it', () => {
    const diagnostics = new Diagnostics();
    const thrown = Object.assign(new Error('no paper'), {
      stack: 'Error: no paper\n    at setup (https://trellis.example/ext/stars/1.0.0~Zm9v/index.js:10:7)',
    });
    diagnostics.add('stars', 'setup', thrown);
    diagnostics.add('stars', 'start', new Error('could not be enabled', { cause: thrown }));
    diagnostics.add('stars', 'tab', new Error('elsewhere'));
    const places = diagnostics.list().map(({ where, thrownAt }) => [where, thrownAt]);
    const place = '/ext/stars/1.0.0~Zm9v/index.js:10:7';
    expect(Object.fromEntries(places)).toEqual({ setup: place, start: place, tab: undefined });
  });

  test('of an error whose causes lead back to it, or on without end', () => {
    const diagnostics = new Diagnostics();
    const [first, second] = [new Error('first'), new Error('second')];
    Object.assign(first, { cause: second });
    Object.assign(second, { cause: first });
    diagnostics.add('stars', 'setup', first);
    class Endless extends Error {
      override get cause(): unknown {
        return new Endless('endless');
      }
    }
    diagnostics.add('stars', 'tab', new Endless('endless'));
    expect(diagnostics.list().map(({ message }) => message)).toEqual(['endless', 'first']);
  });

  test('later, when the plugins started before it was known who is there', async () => {
    const { reporter, sent, state } = setUp();
    state.isSignedIn = false;
    const told = reporter.report(problem('no paper'));
    expect(sent).toEqual([]);
    state.isSignedIn = true;
    await reporter.flush();
    await reporter.flush();
    await told;
    expect(sent).toHaveLength(1);
  });

  test('a few times a minute of each place and each plugin, so that none hides another', async () => {
    const { reporter, sent, state } = setUp();
    const sentOf = (pluginId: string) =>
      sent.filter((body) => (body as { readonly pluginId: string }).pluginId === pluginId).length;
    for (let count = 0; count < 30; count += 1) await reporter.report(problem(`no ${count}`));
    expect(sentOf('stars')).toBe(3);
    for (let count = 0; count < 30; count += 1)
      await reporter.report(problem('no paper', 'stars', `tab ${count}`));
    expect(sentOf('stars')).toBe(10);
    await reporter.report(problem('no ink', 'printer'));
    expect(sentOf('printer')).toBe(1);
    state.now = 60_000;
    await reporter.report(problem('again'));
    expect(sentOf('stars')).toBe(11);
  });

  test('once of each error, however often it happens', async () => {
    const { reporter, sent, state } = setUp();
    for (let count = 0; count < 3; count += 1) await reporter.report(problem('no paper'));
    state.now = 60_000;
    await reporter.report(problem('no paper'));
    expect(sent).toHaveLength(1);
  });

  test('and a server that does not listen is no error of the page', async () => {
    const { reporter } = setUp({ refuse: true });
    await expect(reporter.report(problem('no paper'))).resolves.toBeUndefined();
  });
});
