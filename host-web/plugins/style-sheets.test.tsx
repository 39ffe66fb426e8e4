import { expect, test } from '@jest/globals';
import { StyleSheets } from './style-sheets.ts';

const linksIn = (page: Document) => [...page.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
const sheets = (page: Document) =>
  linksIn(page).flatMap((link) => (link.media === 'not all' ? [] : [link.getAttribute('href')]));

test('a style sheet that two plugins share stays until the last of them is gone', () => {
  const page = document.implementation.createHTMLDocument();
  const styles = new StyleSheets(page);
  const one = styles.add(['/a.css', '/shared.css']);
  const other = styles.add(['/shared.css']);
  expect(sheets(page)).toEqual(['/a.css', '/shared.css']);
  void one.dispose();
  expect(sheets(page)).toEqual(['/shared.css']);
  void other.dispose();
  void other.dispose();
  expect(sheets(page)).toEqual([]);
});

test('style sheets are fetched before their plugin starts, and a missing one keeps nobody waiting', async () => {
  const page = document.implementation.createHTMLDocument();
  const styles = new StyleSheets(page);
  const fetched = styles.preload(['/a.css', '/gone.css']);
  expect(linksIn(page).map((link) => link.getAttribute('href'))).toEqual(['/a.css', '/gone.css']);
  const [found, gone] = linksIn(page);
  found?.dispatchEvent(new Event('load'));
  gone?.dispatchEvent(new Event('error'));
  await fetched;
  expect(sheets(page)).toEqual([]);
  // The browser warns of what is preloaded for a plugin that starts late, or never.
  expect(page.querySelectorAll('link[rel=preload]')).toHaveLength(0);
  const used = styles.add(['/a.css']);
  expect(sheets(page)).toEqual(['/a.css']);
  expect(linksIn(page)).toEqual([found]);
  void used.dispose();
  expect(linksIn(page)).toEqual([]);
});
