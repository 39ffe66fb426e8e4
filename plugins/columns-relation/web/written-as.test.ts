import { describe, expect, test } from '@jest/globals';
import type { WebColumnType } from '@trellis/sdk/web';
import { numberType } from '@trellis/sdk/testing/web';
import { inFiles, inSight, writtenAs } from './written-as.ts';

describe('values that are taken from another column', () => {
  const money: WebColumnType = {
    ...numberType,
    id: 'Money',
    format: (value, { options }) => `${JSON.stringify(value)} ${options.code === 'EUR' ? 'EUR' : '?'}`,
  };
  const write = writtenAs({ get: (type) => (type === 'Money' ? money : undefined) }, inFiles);
  const result = { uidt: 'Money', storage: 'decimal', meta: { code: 'EUR' } } as const;

  test('are written as that column writes them, each of a list too', () => {
    expect(write(16500, { result })).toBe('16500 EUR');
    expect(write([1, null, 2.5], { result })).toBe('1 EUR, , 2.5 EUR');
  });

  test('are written as they are where nobody tells how, and the names of linked rows too', () => {
    expect(write(16500, {})).toBe('16500');
    expect(write(16500, { result: { ...result, uidt: 'Gone' } })).toBe('16500');
    expect(write({ Id: 1, Title: 'Paris' }, { result })).toBe('Paris');
  });

  test('are shown as people of the language write them there, where the type says how', () => {
    const local = { ...money, local: { show: (value: unknown) => `${String(value)} Euro` } };
    expect(writtenAs({ get: () => local }, inSight)(2, { result })).toBe('2 Euro');
    expect(writtenAs({ get: () => local }, inFiles)(2, { result })).toBe('2 EUR');
    expect(writtenAs({ get: () => money }, inSight)(2, { result })).toBe('2 EUR');
  });

  test('an average that runs on for ever is cut', () => {
    expect(write(1 / 3, { result })).toBe('0.3333 EUR');
  });
});
