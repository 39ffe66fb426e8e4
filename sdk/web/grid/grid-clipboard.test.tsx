import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  fromHtmlTable,
  fromTabbedText,
  readClipboard,
  toHtmlTable,
  toTabbedText,
  writeClipboard,
} from './grid-clipboard.ts';

const cell = fc.string({
  unit: fc.constantFrom('a', 'ä', '"', '\t', '\n', '\r', ' ', ',', '日', '😀', '<', '&'),
});
const block = fc
  .integer({ min: 1, max: 4 })
  .chain((width) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 4 }),
  );

class MemoryClipboard {
  private readonly formats = new Map<string, string>();
  setData = (format: string, data: string): void => void this.formats.set(format, data);
  getData = (format: string): string => this.formats.get(format) ?? '';
}

describe('copied cells', () => {
  test('any block comes back from tabbed text as it was', () => {
    fc.assert(fc.property(block, (cells) => expect(fromTabbedText(toTabbedText(cells))).toEqual(cells)));
  });

  test('any block comes back from the clipboard as it was', () => {
    fc.assert(
      fc.property(block, (cells) => {
        const clipboard = new MemoryClipboard();
        writeClipboard(clipboard, { texts: cells });
        expect(readClipboard(clipboard)).toEqual({ texts: cells });
      }),
    );
  });

  test('keep values beside their texts, unless another program changed the texts', () => {
    const clipboard = new MemoryClipboard();
    const from = { tableId: 'md_a', columnId: 'cl_a', rowKey: '1' };
    const copied = {
      texts: [['Paris, Lyon', 'plain']],
      values: [[{ meaning: 'rows of cities', value: [{ Id: 1, Title: 'Paris' }], from }, null]],
    };
    writeClipboard(clipboard, copied);
    expect(readClipboard(clipboard)).toEqual(copied);
    clipboard.setData('text/plain', 'Lima\tplain');
    expect(readClipboard(clipboard)).toEqual({ texts: [['Lima', 'plain']] });
    clipboard.setData('application/x-trellis-cells', '{');
    expect(readClipboard(clipboard).values).toBeUndefined();
  });

  test('a single cell is copied without quotes or a line break, so that it can go into any text', () => {
    expect(toTabbedText([['say "hi", please']])).toBe('say "hi", please');
  });

  test('markup in a cell stays text in the HTML', () => {
    const html = toHtmlTable([['<script>alert(1)</script>', 'a & b']]);
    expect(html).not.toContain('<script');
    expect(fromHtmlTable(html)).toEqual([['<script>alert(1)</script>', 'a & b']]);
  });

  test('line breaks and outer spaces survive the HTML', () => {
    expect(fromHtmlTable(toHtmlTable([[' two\nlines ', 'a  b']]))).toEqual([[' two\nlines ', 'a  b']]);
  });
});

describe('cells from other programs', () => {
  test('Excel ends its rows with carriage return and line feed and quotes lines in cells', () => {
    expect(fromTabbedText('Name\tNote\r\nAda\t"two\nlines and ""quotes"""\r\n')).toEqual([
      ['Name', 'Note'],
      ['Ada', 'two\nlines and "quotes"'],
    ]);
  });

  test('a quote in the middle of a text is just a quote', () => {
    expect(fromTabbedText('"quoted" word\t5" disk')).toEqual([['"quoted" word', '5" disk']]);
    expect(fromTabbedText('"never closed\tb')).toEqual([['"never closed', 'b']]);
  });

  test('Google Sheets wraps the table in other elements and keeps breaks as br', () => {
    const html =
      '<meta charset="utf-8"><google-sheets-html-origin><style>td{}</style><table><colgroup><col></colgroup><tbody>' +
      '<tr><td data-sheets-value="1">one<br>two</td><td>b</td></tr></tbody></table></google-sheets-html-origin>';
    expect(fromHtmlTable(html)).toEqual([['one\ntwo', 'b']]);
  });

  test('LibreOffice breaks its HTML over lines, which are no part of the cells', () => {
    const html =
      '<table cellspacing="0"><tr>\n\t<td height="17"><font face="Arial">a\n\tb</font></td>\n\t<td>2</td>\n</tr></table>';
    expect(fromHtmlTable(html)).toEqual([['a b', '2']]);
  });

  test('a cell over several columns leaves the others empty', () => {
    expect(
      fromHtmlTable('<table><tr><td colspan="2">wide</td></tr><tr><td>a</td><td>b</td></tr></table>'),
    ).toEqual([
      ['wide', ''],
      ['a', 'b'],
    ]);
  });

  test('the table decides when the text beside it was written without quotes', () => {
    const clipboard = new MemoryClipboard();
    clipboard.setData('text/plain', 'two\nlines\tb');
    clipboard.setData('text/html', '<table><tr><td>two<br>lines</td><td>b</td></tr></table>');
    expect(readClipboard(clipboard).texts).toEqual([['two\nlines', 'b']]);
  });

  test('a page with several tables is taken as text', () => {
    expect(
      fromHtmlTable('<table><tr><td>a</td></tr></table><table><tr><td>b</td></tr></table>'),
    ).toBeUndefined();
  });
});
