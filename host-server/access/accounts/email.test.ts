import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { emailKey, emailKeys, normalizeEmail } from './email.ts';

test('the form of an address is its own form', () => {
  const label = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(label, label, fc.constantFrom('com', 'рф', 'XN--P1AI'), (local, domain, top) => {
      const once = normalizeEmail(`${local}@${domain}.${top}`);
      if (once === undefined) return;
      expect(normalizeEmail(once)).toBe(once);
      expect(emailKey(`${local}@${domain}.${top}`)).toBe(emailKey(once));
    }),
  );
});

test.each([
  ['Ada@Example.COM', 'ada@example.com'],
  ['ada@xn--80ak6aa92e.com', 'ada@аррӏе.com'],
  ['ada@xn--e1afmkfd.xn--p1ai', 'ada@пример.рф'],
  ['ada@faß.de', 'ada@faß.de'],
  ['ada@xn--a.com', 'ada@xn--a.com'],
  ['xn--bcher-kva@example.com', 'xn--bcher-kva@example.com'],
  ['ada@xn--bcher-kva.example%2ecom.test', 'ada@xn--bcher-kva.example%2ecom.test'],
  ['ada@10.0.0.1', 'ada@10.0.0.1'],
])('%s is kept as %s', (typed, kept) => {
  expect(normalizeEmail(typed)).toBe(kept);
});

test.each([
  'ada',
  'ada@example',
  '@example.com',
  'ada@@example.com',
  'ada@example.com\r\nBcc: eve@example.com',
  'ada@example.com, eve@example.com',
  '"ada"@example.com',
  'Ada <ada@example.com>',
  'ada@example.com\u200B',
  `${'a'.repeat(65)}@example.com`,
  `ada@${'b'.repeat(260)}.com`,
])('%j is no address', (text) => {
  expect(normalizeEmail(text)).toBeUndefined();
});

test('an account that was kept under a domain in ASCII is found by both spellings', () => {
  const [first, second, ...more] = emailKeys('ada@bücher.example');
  expect(emailKeys('ada@xn--bcher-kva.example')).toEqual([first, second]);
  expect([first, more]).toEqual([emailKey('ada@xn--bcher-kva.example'), []]);
  expect(second).not.toBe(first);
  expect(emailKeys('ada@example.com')).toEqual([emailKey('ada@example.com')]);
});
