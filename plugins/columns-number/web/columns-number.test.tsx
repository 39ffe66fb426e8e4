import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { editedText, formatCell, readCell, readTyped, showCell, type WebColumnType } from '@trellis/sdk/web';
import { decimal, number } from '#plugins/columns-basic/shared';
import { aColumn, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen } from '@testing-library/react';
import { CurrencyOptionsPanel } from './CurrencyOptionsPanel.tsx';
import plugin from './index.tsx';

const types: WebColumnType[] = [];
const register = (_registry: string, type: WebColumnType) => types.push(type);
void plugin.setup({ messages: () => undefined, register } as never);

afterEach(() => {
  cleanup();
  document.documentElement.lang = '';
});

test('each type of numbers has an icon of its own, by which its columns are told apart', () => {
  const icons = [decimal, number, ...types].map(({ icon }) => icon);
  expect(new Set(icons).size).toBe(icons.length);
});

describe('a percentage', () => {
  const column = aColumn('cl_1', 'Share', { uidt: 'Percent', storage: 'float' });
  const read = (text: string) => {
    const type = types.find(({ id }) => id === 'Percent');
    const result = readCell(text, column, type, (message) => message);
    return result.ok ? result.value : 'refused';
  };

  test.each([
    ['de', '12,5', 12.5],
    ['de', '33,333 %', 33.333],
    ['de', '1.234,5', 1234.5],
    ['de', '1.234.567', 1234567],
    ['de', '1.234', 1.234],
    ['de', '-0,125%', -0.125],
    ['de', '0,12345678901234567890123', '0.12345678901234567890123'],
    ['en', '12,5', 12.5],
    ['en', '1,234', 1234],
    ['en', '0,125', 0.125],
    ['en', '1,234.5%', 1234.5],
    ['en', '12.5', 12.5],
    ['de', '1,2,3', 'refused'],
    ['de', '1.2,3', 'refused'],
    ['en', '12%%', 'refused'],
    ['en', '1'.repeat(300), 'refused'],
  ])('in %s: %s', (language, text, value) => {
    document.documentElement.lang = language;
    expect(read(text)).toBe(value);
  });
});

describe('a percentage that is typed', () => {
  const column = aColumn('cl_1', 'Share', { uidt: 'Percent', storage: 'float' });
  const type = types.find(({ id }) => id === 'Percent');

  test.each([
    ['de', 1234.5, '1.234,5 %', '1234,5%'],
    ['en', 1234.5, '1,234.5%', '1234.5%'],
    ['tr', 12.5, '%12,5', '12,5%'],
  ])('in %s, %s is shown as people there write it, and read back', (language, value, shown, edited) => {
    document.documentElement.lang = language;
    const text = editedText(value, column, type);
    expect([showCell(value, column, type).replace(/\s/g, ' '), text]).toEqual([shown, edited]);
    for (const typed of [text, shown, String(value)])
      expect(readTyped(typed, column, type, (message) => message)).toEqual({ ok: true, value });
    expect(formatCell(value, column, type)).toBe(`${value}%`);
  });
});

describe('a new column of money', () => {
  test.each([
    ['de', ['de-AT', 'en-US'], { currency_locale: 'de-AT', currency_code: 'EUR', currency_format: 'page' }],
    ['de', ['en-US'], { currency_locale: 'de-DE', currency_code: 'EUR', currency_format: 'page' }],
    ['en', ['de-DE'], { currency_locale: 'en-US', currency_code: 'USD', currency_format: 'page' }],
    ['en', ['en-GB'], { currency_locale: 'en-GB', currency_code: 'GBP', currency_format: 'page' }],
  ])('has the currency of whoever makes it: page in %s, browser in %p', (language, languages, options) => {
    document.documentElement.lang = language;
    const spied = jest.spyOn(navigator, 'languages', 'get').mockReturnValue(languages);
    expect(types.find(({ id }) => id === 'Currency')?.newOptions?.()).toEqual(options);
    spied.mockRestore();
  });

  test.each([
    [['€12,500.00', '', '-€3'], 'EUR'],
    [['12.500,00 €', '3 EUR'], 'EUR'],
    [['CHF 20'], 'CHF'],
    [['£5', '£ 7'], 'GBP'],
    [['$5'], 'CAD'],
    [['5', ''], 'CAD'],
  ])('for texts such as %p has their currency, else that of the page', (texts, code) => {
    document.documentElement.lang = 'en';
    const spied = jest.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-CA']);
    const options = types.find(({ id }) => id === 'Currency')?.newOptions?.(texts);
    expect(options).toMatchObject({ currency_code: code, currency_locale: 'en-CA' });
    spied.mockRestore();
  });
});

test('texts of several currencies are no column of money: a part of them would change its value', () => {
  const guess = types.find(({ id }) => id === 'Currency')?.guess;
  expect([guess?.(['€5', '7 €']), guess?.(['€5', '$7'])]).toEqual([0.95, 0]);
});

describe('an amount of money', () => {
  const type = types.find(({ id }) => id === 'Currency');

  test.each([
    ['de', {}, '1.234,50 €'],
    ['en', {}, '€1,234.50'],
    ['en', { currency_locale: 'de-DE' }, '1.234,50 €'],
    ['de', { currency_locale: 'en-US', currency_format: 'locale' }, '€1,234.50'],
    ['en', { currency_locale: 'de-DE', currency_format: 'page' }, '€1,234.50'],
  ])('in %s with %p is written as somebody chose, or as the page writes it', (language, chosen, shown) => {
    document.documentElement.lang = language;
    const meta = { currency_code: 'EUR', ...chosen };
    const column = aColumn('cl_1', 'Price', { uidt: 'Currency', meta });
    expect(showCell(1234.5, column, type).replace(/\s/g, ' ')).toBe(shown);
    const typed = editedText(1234.5, column, type);
    expect(readTyped(typed, column, type, (message) => message)).toEqual({ ok: true, value: 1234.5 });
  });

  test('is exported and copied the same way everywhere', () => {
    const meta = { currency_code: 'EUR', currency_locale: 'de-DE', currency_format: 'page' };
    const column = aColumn('cl_1', 'Price', { uidt: 'Currency', meta });
    document.documentElement.lang = 'en';
    expect(formatCell(1234.5, column, type).replace(/\s/g, ' ')).toBe('1.234,50 €');
  });
});

describe('a duration', () => {
  test.each([
    [0, 180, '0:03', ''],
    [0, 90, '0:01', ':30'],
    [0, -90.5, '-0:01', ':30.5'],
    [1, 90, '0:01:30', ''],
    [1, '1.25', '0:00:01', '.25'],
    [3, 1.25, '0:00:01.25', ''],
    [3, 1.2345, '0:00:01.23', '45'],
  ])(
    'in format %s: %s stands in the form of the column, and the rest apart',
    (format, value, clock, rest) => {
      const Cell = types.find(({ id }) => id === 'Duration')?.Cell;
      if (Cell === undefined) throw new Error('no cell');
      const options = { duration: format };
      const column = aColumn('cl_1', 'Time', { uidt: 'Duration', meta: options });
      const { container } = renderWithHost(
        <Cell value={value} row={{}} column={column} options={options} selected={false} />,
      );
      const apart = container.querySelector('.cn-rest')?.textContent ?? '';
      expect([container.textContent, apart]).toEqual([clock + rest, rest]);
    },
  );
});

describe('the options of a currency', () => {
  test('name it in the language of the page', () => {
    document.documentElement.lang = 'de';
    const options = { currency_code: 'USD', currency_locale: 'en-US' };
    renderWithHost(<CurrencyOptionsPanel options={options} onChange={() => undefined} />);
    expect(screen.getByText('USD · US-Dollar')).toBeTruthy();
  });
});
