import { expect, test } from '@jest/globals';
import { Allowance } from './allowance.ts';
import { createLogger } from './logger.ts';

function recorded() {
  const lines: Record<string, unknown>[] = [];
  const destination = {
    write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  };
  return { lines, logger: createLogger({ level: 'info', destination }) };
}

test('a text that nobody would read to its end is cut, and read in one pass until there', () => {
  const { lines, logger } = recorded();
  logger.info('z'.repeat(100_000), { error: new Error('y'.repeat(100_000)), token: 'a'.repeat(100_000) });
  expect(lines[0]?.['msg']).toMatch(/^z+… \(100000 characters\)$/);
  expect(lines[0]?.['error']).toMatchObject({
    message: expect.stringMatching(/^y+… \(100000 characters\)$/),
  });
  expect(lines[0]?.['token']).toBe('[redacted]');
});

test('secrets of every kind are masked in long texts too', () => {
  const { lines, logger } = recorded();
  const said =
    'see https://ada:lovelace@example.com/?key=12345&x=1, Bearer abcdefghijk and eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.sig ';
  logger.info(said.repeat(200));
  const text = String(lines[0]?.['msg']);
  for (const secret of ['lovelace', '12345', 'abcdefghijk', 'eyJ']) expect(text).not.toContain(secret);
});

test('what cannot be read is left out of its line, and the rest stays', () => {
  const { lines, logger } = recorded();
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const sly = {
    get fails(): string {
      throw new Error('no');
    },
    fine: 1,
  };
  logger.warn('odd', { proxy, sly, bare: Object.create(null) as object });
  logger.warn('odder', proxy);
  expect(lines[0]).toMatchObject({
    proxy: '[unreadable]',
    sly: { fails: '[unreadable]', fine: 1 },
    bare: {},
  });
  expect(lines[1]).toMatchObject({ msg: 'odder' });
});

test('lists of lists are copied up to a bound', () => {
  const { lines, logger } = recorded();
  let wide: unknown[] = [1];
  for (let depth = 0; depth < 5; depth += 1) wide = Array.from({ length: 100 }, () => wide);
  logger.info('wide', { wide });
  expect(JSON.stringify(lines[0]).length).toBeLessThan(1_000_000);
});

test('a plugin that writes without end leaves room for the others, and it is said how much is missing', () => {
  const { lines, logger } = recorded();
  const acme = logger.child({ plugin: 'acme' });
  for (let line = 0; line < 10_000; line += 1) acme.info('again');
  logger.child({ plugin: 'other' }).info('heard');
  logger.info('the server itself');
  expect(lines.filter(({ plugin }) => plugin === 'acme')).toHaveLength(3000);
  expect(lines.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['heard', 'the server itself']));
});

test('an allowance begins anew after its window, and says how often it was not enough', () => {
  let now = 0;
  const allowance = new Allowance({ most: 2, windowMs: 100, now: () => now });
  expect(['a', 'a', 'a', 'a', 'b'].map((party) => allowance.take(party))).toEqual([
    0,
    0,
    undefined,
    undefined,
    0,
  ]);
  now = 100;
  expect([allowance.take('a'), allowance.take('a'), allowance.take('a')]).toEqual([2, 0, undefined]);
});
