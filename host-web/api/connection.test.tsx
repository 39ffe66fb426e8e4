import { describe, expect, test } from '@jest/globals';
import { Connection } from './connection.ts';

/** A connection to a server that answers or not, with time that passes when it is told to. */
function createConnection() {
  const waits: number[] = [];
  const server = { answers: true, asked: 0 };
  let next: (() => void) | undefined;
  const connection = new Connection({
    ask: () => {
      server.asked += 1;
      connection.heard(server.answers);
      return server.answers ? Promise.resolve() : Promise.reject(new Error('no answer'));
    },
    clock: {
      now: () => 0,
      after: (wait, run) => {
        waits.push(wait);
        next = run;
        return () => {
          next = undefined;
        };
      },
    },
  });
  const returns: string[] = [];
  connection.onDidReturn(() => returns.push('back'));
  const passTime = async () => {
    next?.();
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { connection, server, waits, returns, passTime };
}

describe('the connection to the server', () => {
  test('is lost with the first request that nobody answers, and is asked for ever more patiently until it is back', async () => {
    const { connection, server, waits, returns, passTime } = createConnection();
    connection.heard(true);
    server.answers = false;
    connection.heard(false);
    expect(connection.isLost).toBe(true);
    for (let round = 0; round < 5; round += 1) await passTime();
    expect(waits).toEqual([1000, 2000, 4000, 8000, 15_000, 15_000]);
    expect(returns).toEqual([]);

    server.answers = true;
    await passTime();
    expect(connection.isLost).toBe(false);
    expect(returns).toEqual(['back']);
    const { asked } = server;
    await passTime();
    expect(server.asked).toBe(asked);
  });

  test('is not back with an answer that was on its way before it was lost', async () => {
    const { connection, server, returns } = createConnection();
    connection.heard(true);
    connection.heard(false);
    server.answers = false;
    connection.heard(true);
    await Promise.resolve();
    expect([connection.isLost, returns, server.asked]).toEqual([true, [], 1]);
    server.answers = true;
    await connection.check();
    expect([connection.isLost, returns]).toEqual([false, ['back']]);
  });

  test('is not lost where the server never answered: the page has not begun', () => {
    const { connection, waits } = createConnection();
    connection.heard(false);
    expect([connection.isLost, waits]).toEqual([false, [1000]]);
  });

  test('is asked for once, however many failures there are', () => {
    const { connection, waits } = createConnection();
    connection.heard(true);
    for (let count = 0; count < 9; count += 1) connection.heard(false);
    expect(waits).toEqual([1000]);
  });
});
