import { describe, expect, test } from '@jest/globals';
import { checkSchema } from './check-schema.ts';
import type { SettingsSchema } from './json-schema.ts';
import { knownPart } from './known-part.ts';
import { keepMaskedSecrets, mapSecrets, maskSecrets, SECRET_MASK, secretPaths } from './secrets.ts';
import { applyDefaults, validateSettings } from './settings.ts';

const mail: SettingsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['host', 'auth'],
  properties: {
    host: { type: 'string', format: 'hostname', minLength: 1, 'x-ui': { order: 1 } },
    port: { type: 'integer', minimum: 1, maximum: 65_535, default: 587 },
    security: { type: 'string', enum: ['none', 'starttls', 'tls'], default: 'starttls' },
    auth: {
      type: 'object',
      properties: {
        user: { type: 'string', default: '' },
        password: { type: 'string', format: 'secret' },
      },
    },
    relays: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'string' }, token: { type: 'string', format: 'secret' } },
      },
    },
    headers: { type: 'object', additionalProperties: { type: 'string', format: 'secret' } },
  },
};

describe('settings', () => {
  test('are valid with their defaults filled in, and the input stays as it was', () => {
    const input = { host: 'mail.example.org', auth: {} };
    expect(validateSettings(mail, input)).toEqual({
      kind: 'valid',
      value: { host: 'mail.example.org', port: 587, security: 'starttls', auth: { user: '' } },
    });
    expect(input).toEqual({ host: 'mail.example.org', auth: {} });
  });

  test('list every problem with its path', () => {
    const outcome = validateSettings(mail, { host: 5, port: 70_000, colour: 'red', relays: [{ token: 1 }] });
    expect(outcome).toMatchObject({ kind: 'invalid' });
    const problems = outcome.kind === 'invalid' ? outcome.problems : [];
    expect(problems.map((problem) => `${problem.path} ${problem.message}`)).toEqual([
      '/host must be a text',
      '/port must be at most 65535',
      " must not have the unknown property 'colour'",
      '/relays/0/token must be a text',
    ]);
  });

  test('are parted from keys that nobody would read, of lists and objects in them too', () => {
    const open: SettingsSchema = { ...mail, additionalProperties: undefined };
    const input = {
      host: 'a',
      prot: 25,
      auth: { user: 'ada', realm: 'home' },
      relays: [{ id: 'r1', weight: 1 }],
      headers: { any: 'x' },
    };
    const { value, problems } = knownPart(open, input);
    expect(value).toEqual({
      host: 'a',
      auth: { user: 'ada' },
      relays: [{ id: 'r1' }],
      headers: { any: 'x' },
    });
    expect(problems.map(({ path, message }) => `${path} ${message}`)).toEqual([
      "/prot is not known here; did you mean 'port'?",
      '/auth/realm is not known here',
      '/relays/0/weight is not known here',
    ]);
    const stored = { prot: 1, auth: { realm: '' }, relays: [{ id: 'r0' }, { weight: 2 }] };
    expect(knownPart(open, input, stored)).toEqual({ value, problems: [] });
    const hostile = JSON.parse('{"__proto__":{"polluted":true}}') as Record<string, unknown>;
    expect(knownPart({ type: 'object' }, hostile).value).toEqual(hostile);
    expect(knownPart(open, hostile).problems).toHaveLength(1);
    const branched: SettingsSchema = { ...open, anyOf: [{ properties: { prot: { type: 'integer' } } }] };
    expect(knownPart(branched, { prot: 25 })).toEqual({ value: { prot: 25 }, problems: [] });
    const below = (name: string) => ({
      properties: { auth: { properties: { [name]: { type: 'string' } } } },
    });
    const deep = { type: 'object', ...below('kind'), anyOf: [below('token')] } as SettingsSchema;
    const auth = { kind: 'key', token: 't' };
    expect(knownPart(deep, { auth })).toEqual({ value: { auth }, problems: [] });
    expect(knownPart(deep, { auth: { ...auth, tokn: 't' } }).problems).toMatchObject([
      { path: '/auth/tokn', message: expect.stringContaining("'token'") },
    ]);
  });

  test('may be validated by another validator of the same dialect', () => {
    const refuse = () => [{ path: '', keyword: 'x', message: 'no' }];
    expect(validateSettings(mail, { host: 'a', auth: {} }, refuse)).toMatchObject({ kind: 'invalid' });
  });

  test('take a default object only when something in it has a default, and never share it', () => {
    const schema: SettingsSchema = {
      type: 'object',
      properties: {
        a: { type: 'object', properties: { b: { type: 'string' } } },
        list: { type: 'array', default: [{ x: 1 }] },
      },
    };
    const first = applyDefaults(schema, {}) as { list: { x: number }[] };
    expect(first).toEqual({ list: [{ x: 1 }] });
    first.list.push({ x: 2 });
    expect(applyDefaults(schema, undefined)).toEqual({ list: [{ x: 1 }] });
  });

  test('cannot reach a prototype', () => {
    const hostile: unknown = JSON.parse('{"host":"a","auth":{},"__proto__":{"polluted":true}}');
    expect(validateSettings(mail, hostile)).toMatchObject({ kind: 'invalid' });
    const loose: SettingsSchema = { type: 'object', properties: { a: { type: 'string', default: 'x' } } };
    const filled = applyDefaults(loose, hostile) as Record<string, unknown>;
    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(validateSettings({ type: 'object', required: ['constructor'] }, {})).toMatchObject({
      kind: 'invalid',
    });
  });
});

describe('secrets', () => {
  const stored = {
    host: 'a',
    auth: { user: 'u', password: 'p' },
    relays: [
      { id: 'one', token: 't1' },
      { id: 'two', token: 't2' },
    ],
    headers: { 'X-Key': 'k' },
  };

  test('are found in the schema, in lists and in free properties as well', () => {
    expect(secretPaths(mail)).toEqual(['/auth/password', '/relays/*/token', '/headers/*']);
  });

  test('are masked in a copy, unset ones not', () => {
    const masked = maskSecrets(mail, { ...stored, relays: [{ id: 'x', token: '' }] });
    expect(masked).toEqual({
      host: 'a',
      auth: { user: 'u', password: SECRET_MASK },
      relays: [{ id: 'x', token: '' }],
      headers: { 'X-Key': SECRET_MASK },
    });
    expect(stored.auth.password).toBe('p');
  });

  test('keep what is stored when the mask comes back, by id where items have one', () => {
    const form = maskSecrets(mail, stored);
    const incoming = {
      ...form,
      auth: { user: 'new', password: SECRET_MASK },
      relays: [form.relays[1], { id: 'three', token: SECRET_MASK }, { id: 'one', token: 'changed' }],
    };
    expect(keepMaskedSecrets(mail, incoming, stored)).toEqual({
      host: 'a',
      auth: { user: 'new', password: 'p' },
      relays: [
        { id: 'two', token: 't2' },
        { id: 'three', token: '' },
        { id: 'one', token: 'changed' },
      ],
      headers: { 'X-Key': 'k' },
    });
  });

  test('stay with the items of a list that have no id, whichever are taken away, renamed or put elsewhere', () => {
    const schema: SettingsSchema = {
      type: 'object',
      properties: {
        rooms: {
          type: 'array',
          items: {
            type: 'object',
            properties: { room: { type: 'string' }, secret: { type: 'string', format: 'secret' } },
          },
        },
      },
    };
    const kept = (rooms: readonly string[], before: readonly string[]) => {
      const incoming = { rooms: rooms.map((room) => ({ room, secret: SECRET_MASK })) };
      const was = { rooms: before.map((room, at) => ({ room, secret: `of ${room} ${at}` })) };
      return keepMaskedSecrets(schema, incoming, was).rooms.map(({ secret }) => secret);
    };
    expect(kept(['b'], ['a', 'b'])).toEqual(['of b 1']);
    expect(kept(['b', 'a'], ['a', 'b'])).toEqual(['of b 1', 'of a 0']);
    expect(kept(['new', 'b'], ['a', 'b'])).toEqual(['of a 0', 'of b 1']);
    expect(kept(['b', 'new'], ['a', 'b'])).toEqual(['of b 1', '']);
    expect(kept(['new'], ['a', 'b'])).toEqual(['']);
    expect(kept(['a', 'a', 'a'], ['a', 'a'])).toEqual(['of a 0', 'of a 1', '']);
    // The first of two that are alike gets another secret; the other one keeps its own.
    const incoming = { rooms: ['new', SECRET_MASK].map((secret) => ({ room: 'a', secret })) };
    const was = { rooms: ['one', 'two'].map((secret) => ({ room: 'a', secret })) };
    expect(keepMaskedSecrets(schema, incoming, was).rooms.map(({ secret }) => secret)).toEqual([
      'new',
      'two',
    ]);
  });

  test('go through a change once each, even when two branches describe the same one', () => {
    const schema: SettingsSchema = {
      type: 'object',
      properties: { key: { type: 'string', format: 'secret' } },
      allOf: [{ properties: { key: { type: 'string', format: 'secret' } } }],
    };
    expect(mapSecrets(schema, { key: 'a' }, (secret) => `enc(${String(secret)})`)).toEqual({ key: 'enc(a)' });
  });
});

describe('a schema is refused', () => {
  test.each([
    [{ type: 'objekt' }, '/type names the unknown type "objekt"'],
    [{ type: 'string', format: 'emial' }, '/format names the unknown format "emial"'],
    [{ minimun: 1 }, '/minimun is not a keyword'],
    [{ type: 'string', pattern: '(' }, ' has the pattern "("'],
    [{ properties: { a: {} }, required: ['b'] }, "/required asks for 'b'"],
    [
      { items: { properties: { 'a/b': { type: 'x' } } } },
      '/items/properties/a~1b/type names the unknown type "x"',
    ],
    [{ anyOf: {} }, '/anyOf/0 must be a schema object'],
    [{ properties: [] }, '/properties must be an object of schemas'],
    ['text', ' must be a schema object'],
  ])('when it says %j', (schema, expected) => {
    const [problem] = checkSchema(schema);
    expect(`${problem?.path ?? ''} ${problem?.message ?? ''}`.startsWith(expected)).toBe(true);
  });

  test('unless it only uses what is known', () => {
    expect(checkSchema(mail)).toEqual([]);
  });
});
