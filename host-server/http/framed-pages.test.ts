import { expect, test } from '@jest/globals';
import { Registry } from '@trellis/core';
import type { FramedPage } from '@trellis/sdk/server';
import { FramedPages } from './framed-pages.ts';

function start(sites: FramedPage['sites']) {
  const pages = new Registry<FramedPage>({ id: 'framedPages', absentPolicy: 'none' });
  const asked: string[] = [];
  const failures: string[] = [];
  pages.register({ id: 'mine', sites: (address) => (asked.push(address), sites(address)) }, 'test');
  const framed = new FramedPages(pages, { error: (message) => void failures.push(message) });
  return { framed, asked, failures };
}

test('a page is asked for by its own address, and only where it is framed', async () => {
  const { framed, asked } = start(async () => ['https://a.example', '*']);
  expect(await framed.sitesOf('/embed/nc/view/1')).toEqual(['https://a.example', '*']);
  expect(await framed.sitesOf('/nc/view/1')).toEqual([]);
  expect(await framed.sitesOf('/embedded/1')).toEqual([]);
  expect(asked).toEqual(['/nc/view/1']);
});

test('what names no site opens nothing', async () => {
  const wrong = ["'self'", 'https://a.example; script-src *', 'blob:x', 'data:', 'a.example', '*.*'];
  const { framed } = start(async () => [...wrong, 'http://localhost:8080', 'https://*.b.example']);
  expect(await framed.sitesOf('/embed/x')).toEqual(['http://localhost:8080', 'https://*.b.example']);
});

test('a failure opens nothing, and is told of', async () => {
  const { framed, failures } = start(() => Promise.reject(new Error('away')));
  expect(await framed.sitesOf('/embed/x')).toEqual([]);
  expect(failures).toHaveLength(1);
});
