import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSecrets } from './secrets.ts';

describe('secrets', () => {
  test('a sealed text opens with the same secret and purpose, whatever it holds', () => {
    const secrets = createSecrets('a secret');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(secrets.decrypt('mail', secrets.encrypt('mail', text))).toBe(text);
      }),
    );
  });

  test('a text sealed for one purpose cannot be opened for another', () => {
    const secrets = createSecrets('a secret');
    expect(() => secrets.decrypt('storage', secrets.encrypt('mail', 'x'))).toThrow(
      expect.objectContaining({ code: 'SECRET_UNREADABLE' }),
    );
  });

  test('another secret, a cut text and a changed text are refused in words, never read wrongly', () => {
    const secrets = createSecrets('a secret');
    const sealed = secrets.encrypt('mail', 'hello');
    const changed = sealed.slice(0, -3) + (sealed.endsWith('AAA') ? 'BBB' : 'AAA');
    for (const bad of [sealed.slice(0, -8), changed, '', 'v1', `${sealed}.x`.slice(3)]) {
      expect(() => secrets.decrypt('mail', bad)).toThrow(
        expect.objectContaining({ code: 'SECRET_UNREADABLE' }),
      );
    }
    expect(() => createSecrets('another').decrypt('mail', sealed)).toThrow(/TRELLIS_SECRET/);
  });

  test('keys differ by purpose and are the same for the same secret', () => {
    const one = createSecrets('s');
    expect(one.key('jwt')).toHaveLength(32);
    expect(one.key('jwt')).toEqual(createSecrets('s').key('jwt'));
    expect(one.key('jwt')).not.toEqual(one.key('cookie'));
  });
});
