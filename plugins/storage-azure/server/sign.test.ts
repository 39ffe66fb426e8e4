import { expect, test } from '@jest/globals';
import { textToSign } from './sign.ts';

test('signs the text of the example in the description of Azure', () => {
  const url = new URL(
    'https://myaccount.blob.core.windows.net/mycontainer?restype=container&comp=metadata&timeout=20',
  );
  const headers = { 'x-ms-version': '2015-02-21', 'x-ms-date': 'Fri, 26 Jun 2015 23:39:12 GMT' };
  expect(textToSign({ method: 'GET', url, headers }, 'myaccount')).toBe(
    'GET\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:Fri, 26 Jun 2015 23:39:12 GMT\nx-ms-version:2015-02-21\n/myaccount/mycontainer\ncomp:metadata\nrestype:container\ntimeout:20',
  );
});

test('signs the length of what is sent by its place, and none for nothing', () => {
  const url = new URL('https://myaccount.blob.core.windows.net/c/b');
  const lines = (length: string) =>
    textToSign({ method: 'PUT', url, headers: { 'content-length': length } }, 'myaccount').split('\n');
  expect([lines('11')[3], lines('0')[3]]).toEqual(['11', '']);
});
