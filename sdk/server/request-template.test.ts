import { expect, test } from '@jest/globals';
import { finalOf } from './extensions/services.ts';
import { filledChannelSettings } from './filled-addresses.ts';
import { readRequestTemplate, renderRequest } from './request-template.ts';

const urlOf = (path: string, part: string) =>
  renderRequest(readRequestTemplate({ path, method: 'GET' }, ''), { row: { part } }).url;

test('what a cell holds stays one part of the address', () => {
  const path = 'https://api.test/customers/{{row.part}}/notify?of={{row.part}}#{{row.part}}';
  expect(urlOf(path, 'a/b?c#d')).toBe(
    'https://api.test/customers/a%2Fb%3Fc%23d/notify?of=a%2Fb%3Fc%23d#a%2Fb%3Fc%23d',
  );
  expect(urlOf(path, '')).toBe('https://api.test/customers//notify?of=#');
  expect(urlOf(path, '...')).toContain('/customers/.../notify');
  for (const part of ['.', '..']) expect(() => urlOf(path, part)).toThrow(/another place/);
  expect(() => urlOf('https://api.test/a/.{{row.part}}', '.')).toThrow(/another place/);
  expect(urlOf('https://api.test/a/../b?{{row.part}}', '..')).toBe('https://api.test/b?..');
});

test('what is no address of a host is refused when it is set', () => {
  for (const path of [
    '',
    'http://',
    'https://[fe80::1%25eth0]/',
    'http://a.test:99999/',
    'http://a b/',
    'ftp://a.test/',
  ])
    expect(() => readRequestTemplate({ path }, '')).toThrow(/must begin with http/);
});

test('what a row makes impossible is over for its message alone', () => {
  const finalIn = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      return finalOf(error);
    }
    throw new Error('Nothing was thrown.');
  };
  expect(finalIn(() => urlOf('https://api.test/a/{{row.part}}', '..'))).toBe('message');
  const headers = [{ name: 'x-part', value: '{{row.part}}', enabled: true }];
  const headed = readRequestTemplate({ path: 'https://api.test/', headers }, '');
  expect(finalIn(() => renderRequest(headed, { row: { part: 'x'.repeat(8001) } }))).toBe('message');
  const long = readRequestTemplate({ path: 'https://api.test/' }, '{{row.part}}'.repeat(3));
  expect(finalIn(() => renderRequest(long, { row: { part: 'x'.repeat(100_000) } }))).toBe('message');
  expect(finalIn(() => filledChannelSettings({ to: '{{row.part}}' }, () => 'a, b'))).toBe('message');
});

test('a body of JSON keeps its shape and its numbers, and its texts are filled in', () => {
  const body = `{
    "id": 12345678901234567890, "rate": 1.10,
    "{{row.part}}": "{{row.part}}", "quoted \\" \\\\": ["a \\" : b", "{{row.part}} : c", -0, null, true, {}]
  }`;
  const rendered = renderRequest(readRequestTemplate({ path: 'https://api.test/' }, body), {
    row: { part: 'x"\\: y' },
  });
  expect(rendered.body).toBe(
    '{"id":12345678901234567890,"rate":1.10,"{{row.part}}":"x\\"\\\\: y",' +
      '"quoted \\" \\\\":["a \\" : b","x\\"\\\\: y : c",-0,null,true,{}]}',
  );
});
