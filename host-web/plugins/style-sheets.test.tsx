import { expect, test } from '@jest/globals';
import { StyleSheets } from './style-sheets.ts';

const sheets = (page: Document, rel: string) =>
  [...page.querySelectorAll<HTMLLinkElement>(`link[rel=${rel}]`)].map((link) => link.getAttribute('href'));

test('a style sheet that two plugins share stays until the last of them is gone', () => {
  const page = document.implementation.createHTMLDocument();
  const styles = new StyleSheets(page);
  const one = styles.add(['/a.css', '/shared.css']);
  const other = styles.add(['/shared.css']);
  expect(sheets(page, 'stylesheet')).toEqual(['/a.css', '/shared.css']);
  void one.dispose();
  expect(sheets(page, 'stylesheet')).toEqual(['/shared.css']);
  void other.dispose();
  void other.dispose();
  expect(sheets(page, 'stylesheet')).toEqual([]);
});

test('style sheets are fetched before their plugin starts, and a missing one keeps nobody waiting', async () => {
  const page = document.implementation.createHTMLDocument();
  const fetched = new StyleSheets(page).preload(['/a.css', '/gone.css']);
  expect(sheets(page, 'preload')).toEqual(['/a.css', '/gone.css']);
  const [found, gone] = page.querySelectorAll('link');
  found?.dispatchEvent(new Event('load'));
  gone?.dispatchEvent(new Event('error'));
  await fetched;
  expect(sheets(page, 'preload')).toEqual([]);
});
