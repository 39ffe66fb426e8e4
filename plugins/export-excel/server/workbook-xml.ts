import type { ZipEntry } from '@trellis/sdk/server';
import { beginOf } from '@trellis/sdk/shared';
import { styles } from './cell.ts';
import { escapeText } from './sheet-xml.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaged = 'http://schemas.openxmlformats.org/package/2006';
const sheetml = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const mostOfName = 31;

/** The path of a sheet, counted from 1. */
export function sheetPath(number: number): string {
  return `xl/worksheets/sheet${number}.xml`;
}

/** A valid name of a sheet. */
export function sheetName(title: string, number: number): string {
  const suffix = number === 1 ? '' : ` (${number})`;
  const plain = title.replace(/[\p{Cc}[\]:*?/\\\s]+/gu, ' ').replace(/^[ ']+|[ ']+$/g, '');
  const known = plain === '' || plain.toLowerCase() === 'history' ? `${plain} rows`.trim() : plain;
  const cut = beginOf(known, mostOfName - suffix.length);
  return `${cut.trim()}${suffix}`;
}

interface WorkbookOf {
  readonly title: string;
  /** The number of sheets. */
  readonly sheets: number;
  /** Codes of number formats, as `NumberFormats` lists them. */
  readonly formats: readonly string[];
}

/** All files of a workbook except its sheets. */
export function workbookParts({ title, sheets, formats }: WorkbookOf): readonly ZipEntry[] {
  const numbers = Array.from({ length: sheets }, (_, at) => at + 1);
  const part = (path: string, xml: string): ZipEntry => ({ path, body: [declaration + xml] });
  return [
    part('xl/styles.xml', stylesXml(formats)),
    part(
      'xl/workbook.xml',
      `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${numbers
        .map((at) => `<sheet name="${escapeText(sheetName(title, at))}" sheetId="${at}" r:id="rId${at}"/>`)
        .join('')}</sheets></workbook>`,
    ),
    part(
      'xl/_rels/workbook.xml.rels',
      relationsXml([
        ...numbers.map((at) => ['worksheet', sheetPath(at).replace('xl/', '')] as const),
        ['styles', 'styles.xml'],
      ]),
    ),
    part('_rels/.rels', relationsXml([['officeDocument', 'xl/workbook.xml']])),
    part(
      '[Content_Types].xml',
      `<Types xmlns="${packaged}/content-types">` +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        '<Default Extension="xml" ContentType="application/xml"/>' +
        `<Override PartName="/xl/workbook.xml" ContentType="${sheetml}.sheet.main+xml"/>` +
        `<Override PartName="/xl/styles.xml" ContentType="${sheetml}.styles+xml"/>` +
        numbers
          .map((at) => `<Override PartName="/${sheetPath(at)}" ContentType="${sheetml}.worksheet+xml"/>`)
          .join('') +
        '</Types>',
    ),
  ];
}

function relationsXml(targets: readonly (readonly [kind: string, target: string])[]): string {
  const each = targets.map(
    ([kind, target], at) =>
      `<Relationship Id="rId${at + 1}" Type="${relations}/${kind}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${packaged}/relationships">${each.join('')}</Relationships>`;
}

const format = (numFmtId: number, more = ''): string =>
  `<xf numFmtId="${numFmtId}" fontId="0" fillId="0" borderId="0" xfId="0"${more}/>`;

/** Lower ids are built in, or those of the two formats of days and moments. */
const firstOwnId = 166;

/** The formats in the order of `styles` in `cell.ts`, followed by those of column types. */
const stylesXml = (codes: readonly string[]): string =>
  `<styleSheet xmlns="${main}">` +
  `<numFmts count="${2 + codes.length}">` +
  '<numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>' +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>' +
  codes
    .map((code, at) => `<numFmt numFmtId="${firstOwnId + at}" formatCode="${escapeText(code)}"/>`)
    .join('') +
  '</numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="${Object.keys(styles).length + codes.length}">` +
  format(0) +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" quotePrefix="1"/>' +
  format(164, ' applyNumberFormat="1"') +
  format(165, ' applyNumberFormat="1"') +
  format(21, ' applyNumberFormat="1"') +
  format(46, ' applyNumberFormat="1"') +
  format(0, ' quotePrefix="1"') +
  codes.map((_, at) => format(firstOwnId + at, ' applyNumberFormat="1"')).join('') +
  '</cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
  '</styleSheet>';
