import { describe, expect, jest, test } from '@jest/globals';
import { Container } from './container.ts';
import { every, later } from './recipe.ts';
import { createToken, tokenName } from './token.ts';

interface Mailer {
  send(): string;
}
const MAILER = createToken<Mailer>('mailer');
const NAME = createToken<string>('name');
const OTHER = createToken<string>('other');

describe('a token', () => {
  test('is the same for the same name, in any copy of the package', () => {
    expect(createToken('mailer')).toBe(MAILER);
    expect(MAILER).toBe(Symbol.for('trellis.mailer'));
    expect(tokenName(MAILER)).toBe('mailer');
  });
});

describe('a container', () => {
  test('makes a service once, when it is first asked for', () => {
    const container = new Container();
    const factory = jest.fn((from: Container) => ({ send: () => `to ${from.get(NAME)}` }));
    container.bind(MAILER, factory);
    container.bind(NAME, { value: 'Ada' });
    expect(factory).not.toHaveBeenCalled();
    expect(container.get(MAILER).send()).toBe('to Ada');
    expect(container.get(MAILER)).toBe(container.get(MAILER));
    expect(factory).toHaveBeenCalledTimes(1);
  });

  test('names the token when nobody provides it', () => {
    expect(() => new Container().get(MAILER)).toThrow(/Nobody provides the service 'mailer'/);
  });

  test('refuses a second provider and names both owners', () => {
    const container = new Container();
    container.bind(NAME, { value: 'a' }, 'plugin-a');
    expect(() => container.bind(NAME, { value: 'b' }, 'plugin-b')).toThrow(
      "Service 'name' of 'plugin-b' is already provided by 'plugin-a'; disable one of the two.",
    );
    expect(container.get(NAME)).toBe('a');
  });

  test('takes a binding away and makes the service anew for the next one', async () => {
    const container = new Container();
    const first = container.bind(NAME, { value: 'a' });
    expect(container.get(NAME)).toBe('a');
    await first.dispose();
    expect(container.has(NAME)).toBe(false);
    container.bind(NAME, { value: 'b' });
    expect(container.get(NAME)).toBe('b');
    await first.dispose();
    expect(container.get(NAME)).toBe('b');
  });

  test('names the circle when services need each other', () => {
    const container = new Container();
    container.bind(NAME, (from) => from.get(OTHER));
    container.bind(OTHER, (from) => from.get(NAME));
    expect(() => container.get(NAME)).toThrow(/name -> other -> name/);
    expect(() => container.get(OTHER)).toThrow(/other -> name -> other/);
  });
});

/** A service that notes when it is made and disposed. */
function noted(log: string[], name: string) {
  return {
    make() {
      log.push(`+${name}`);
      return name;
    },
    dispose: () => void log.push(`-${name}`),
  };
}

describe('a recipe', () => {
  test('has its needs made first, whatever the order of the bindings, and is disposed before them', async () => {
    const container = new Container();
    const log: string[] = [];
    container.bind(MAILER, {
      needs: { name: NAME, other: OTHER },
      make: ({ name, other }) => ({ send: () => `${name} and ${other}` }),
      dispose: () => void log.push('-mailer'),
    });
    container.bind(NAME, { needs: { other: OTHER }, ...noted(log, 'name') });
    container.bind(OTHER, { needs: {}, ...noted(log, 'other') });
    expect(container.get(MAILER).send()).toBe('name and other');
    await container.dispose();
    expect(log).toEqual(['+other', '+name', '-mailer', '-name', '-other']);
  });

  test('may take time; afterwards the service is there at once, and so is what is made of it', async () => {
    const container = new Container();
    container.bind(NAME, { needs: {}, make: () => Promise.resolve('Ada') });
    container.bind(OTHER, { needs: { name: NAME }, make: ({ name }) => `Dear ${name}` });
    expect(() => container.get(NAME)).toThrow(/asynchronous/i);
    await container.getAsync(NAME);
    expect(container.get(OTHER)).toBe('Dear Ada');
  });

  test('rejects with the very error of its maker', async () => {
    const container = new Container();
    const error = new Error('no flour left');
    container.bind(NAME, { needs: {}, make: () => Promise.reject(error) });
    container.bind(OTHER, { needs: { name: NAME }, make: ({ name }) => name });
    await expect(container.getAsync(OTHER)).rejects.toBe(error);
  });

  test('gets a service that needs it in turn when it asks later', () => {
    const container = new Container();
    container.bind(NAME, { needs: { mailer: MAILER }, make: ({ mailer }) => mailer.send() });
    container.bind(MAILER, {
      needs: { name: later(NAME) },
      make: ({ name }) => ({ send: () => (container.has(OTHER) ? name() : 'too early') }),
    });
    expect(container.get(NAME)).toBe('too early');
    container.bind(OTHER, { value: '' });
    expect(container.get(MAILER).send()).toBe('too early');
  });

  test('gets every contribution, in order', () => {
    const container = new Container();
    container.bind(OTHER, { value: 'b' });
    container.contribute(NAME, { needs: {}, make: () => 'a' });
    container.contribute(NAME, { needs: { other: OTHER }, make: ({ other }) => other });
    container.bind(MAILER, {
      needs: { names: every(NAME) },
      make: ({ names }) => ({ send: () => names.join() }),
    });
    expect(container.get(MAILER).send()).toBe('a,b');
  });

  test('gets an empty list when nobody contributes', () => {
    const container = new Container();
    container.bind(OTHER, { needs: { names: every(NAME) }, make: ({ names }) => `${names.length}` });
    expect(container.get(OTHER)).toBe('0');
  });

  test('names the circle and the missing service before anything is made', async () => {
    const container = new Container();
    const log: string[] = [];
    container.bind(NAME, { needs: { other: OTHER }, ...noted(log, 'name') });
    await expect(container.getAsync(NAME)).rejects.toThrow(
      /Nobody provides the service 'other', which 'name' needs/,
    );
    container.bind(OTHER, { needs: { name: NAME }, ...noted(log, 'other') });
    expect(() => container.get(NAME)).toThrow(/name -> other -> name/);
    expect(log).toEqual([]);
  });

  test('whose binding is taken back is disposed once', async () => {
    const container = new Container();
    const log: string[] = [];
    const binding = container.bind(NAME, { needs: {}, ...noted(log, 'name') });
    container.get(NAME);
    await binding.dispose();
    await container.dispose();
    expect(log).toEqual(['+name', '-name']);
  });

  test('that ends after the container was disposed is disposed at once', async () => {
    const container = new Container();
    const log: string[] = [];
    let finish = (_name: string): void => undefined;
    container.bind(NAME, {
      needs: {},
      make: () => new Promise<string>((resolve) => (finish = resolve)),
      dispose: (name) => void log.push(`-${name}`),
    });
    const making = container.getAsync(NAME);
    await container.dispose();
    finish('late');
    await expect(making).rejects.toThrow(/disposed/);
    expect(log).toEqual(['-late']);
  });
});
