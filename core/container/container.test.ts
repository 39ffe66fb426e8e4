import { describe, expect, jest, test } from '@jest/globals';
import { inject } from 'inversify';
import { Container } from './container.ts';
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

  test('makes a class whose constructor names its tokens', () => {
    class Greeter {
      constructor(readonly name: string) {}
      send() {
        return `Hello ${this.name}`;
      }
    }
    inject(NAME)(Greeter, undefined, 0);
    const container = new Container();
    container.bind(NAME, { value: 'Ada' });
    container.bind(MAILER, { class: Greeter });
    expect(container.get(MAILER).send()).toBe('Hello Ada');
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

  test('falls back to its parent and may override it', () => {
    const parent = new Container();
    parent.bind(NAME, { value: 'parent' });
    const child = parent.child();
    expect(child.get(NAME)).toBe('parent');
    expect(child.has(NAME)).toBe(true);
    child.bind(NAME, { value: 'child' });
    expect(child.get(NAME)).toBe('child');
    expect(parent.get(NAME)).toBe('parent');
  });

  test('sees a binding that its parent gains or loses later', async () => {
    const parent = new Container();
    const child = parent.child();
    expect(() => child.get(NAME)).toThrow(/'name'/);
    const binding = parent.bind(NAME, { value: 'later' });
    expect(child.get(NAME)).toBe('later');
    await binding.dispose();
    expect(() => child.get(NAME)).toThrow(/'name'/);
  });

  test('refuses a class in a child, where its constructor could not see the parent', () => {
    class Greeter {
      send() {
        return 'Hello';
      }
    }
    const child = new Container().child();
    expect(() => child.bind(MAILER, { class: Greeter })).toThrow(
      /'mailer' is a class; bind it with a factory/,
    );
    expect(child.bind(MAILER, () => new Greeter())).toBeDefined();
  });

  test('names the circle when services need each other', () => {
    const container = new Container();
    container.bind(NAME, (from) => from.get(OTHER));
    container.bind(OTHER, (from) => from.get(NAME));
    expect(() => container.get(NAME)).toThrow(/name -> other -> name/);
    expect(() => container.get(OTHER)).toThrow(/other -> name -> other/);
  });
});
