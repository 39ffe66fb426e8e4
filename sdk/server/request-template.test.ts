import { expect, test } from '@jest/globals';
import { finalOf } from './extensions/services.ts';
import { filledChannelSettings } from './filled-addresses.ts';
import { assertRequestBody, readRequestTemplate, renderRequest } from './request-template.ts';

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

test('a body of JSON whose placeholders stand outside of its texts keeps its shape as well', () => {
  const body = '{"all": {{json row}}, "said": "{{row.part}}, \\"{{ row.part }}\\"", "n": [{{row.count}}]}';
  const rendered = renderRequest(readRequestTemplate({ path: 'https://api.test/' }, body), {
    row: { part: 'x" \\\n', count: 3 },
  });
  expect(JSON.parse(rendered.body ?? '')).toEqual({
    all: { part: 'x" \\\n', count: 3 },
    said: 'x" \\\n, "x" \\\n"',
    n: [3],
  });
});

test('a body that is to be JSON and becomes none is refused, with the place', () => {
  const check = (body: string, more: object = {}) => {
    try {
      assertRequestBody(readRequestTemplate({ path: 'https://api.test/', body, ...more }, ''));
    } catch (error) {
      const { code, params } = error as { readonly code: string; readonly params: object };
      return { code, ...params };
    }
    return undefined;
  };
  const typed = (value: string, enabled = true) => ({
    headers: [{ name: 'Content-Type', value, enabled }],
  });
  for (const body of [
    '{"a": {{json data.Title}} }',
    '{"a":{{json data}}}',
    '[{"a": "{{data.Title}}", "n": -{{data.n}}, "m": [1.5e3, true, null, {}, []]}]',
    '{{ json data }}',
    'New: {{data.Title}}',
    '',
  ])
    expect(check(body)).toBeUndefined();
  expect(check('{"a": "{{data.Title}}",\n "b": [1]\n')).toEqual({ code: 'REQUEST_JSON_END' });
  expect(check('{"a": 1,\n "b": "He said "{{data.Title}}""}')).toMatchObject({
    code: 'REQUEST_JSON',
    line: 2,
    text: '{{data.Title}}',
  });
  for (const body of ['{"a": 1,}', '[1 2]', '{"a": tru}', '{"a" 1}', '{"a": 1}]', '{"a": [1}', '{"a": 01}'])
    expect(check(body)).toMatchObject({ code: 'REQUEST_JSON', line: 1 });
  // Who says that it is something else is believed, and who says that it is JSON as well.
  expect(check('[Order] {{data.Title}}', typed('text/plain'))).toBeUndefined();
  expect(check('[Order] {{data.Title}}', typed('text/plain', false))).toMatchObject({ code: 'REQUEST_JSON' });
  expect(check('New', typed('application/vnd.api+json; charset=utf-8'))).toMatchObject({ text: 'New' });
  expect(check('{', { method: 'GET' })).toBeUndefined();
});
