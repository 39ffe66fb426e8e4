import { describe, expect, test } from '@jest/globals';
import { displayOfExternal } from './display-of-external.ts';

type Column = Parameters<typeof displayOfExternal>[1][number];

const column = (name: string, rest: Partial<Column> = {}): Column =>
  ({
    id: name,
    column_name: name,
    storage: 'string',
    primary_key: false,
    uidt: 'SingleLineText',
    ...rest,
  }) as Column;
const key = (name: string) => column(name, { storage: 'integer', primary_key: true, uidt: 'Number' });
const foreign = (name: string) => column(name, { storage: 'integer', uidt: 'ForeignKey' });
const number = (name: string) => column(name, { storage: 'decimal', uidt: 'Decimal' });

/** The column by which rows are called, of a key and texts with these names. */
const namedBy = (names: readonly string[], table = 'things') =>
  displayOfExternal(table, [key('Id'), ...names.map((name) => column(name))])?.column_name;

describe('rows of a database that was there before are called', () => {
  test.each([
    [['Title', 'Name'], 'Name'],
    // What somebody is called by, and not what they work as.
    [['LastName', 'FirstName', 'Title'], 'LastName'],
    [['FirstName', 'last_name', 'Company'], 'last_name'],
    [['Code', 'Title'], 'Title'],
    [['username', 'file_name_hash'], 'username'],
    [['Address', 'ContactTitle', 'CompanyName'], 'CompanyName'],
    [['country_name', 'Code'], 'Code'],
    [['phone', 'status', 'email_address'], 'email_address'],
    [['password_hash', 'created_at', 'nick'], 'nick'],
  ])('of %j by %s', (names, expected) => {
    expect(namedBy(names)).toBe(expected);
  });

  test.each([
    ['city', 'city'],
    ['cities', 'city_name'],
    ['Countries', 'Country'],
    ['streets', 'street'],
  ])('of the table %s by %s, which is aside elsewhere', (table, name) => {
    expect(namedBy(['postal_code', 'note', name], table)).toBe(name);
    expect(namedBy(['postal_code', name, 'note'])).toBe('note');
  });

  test('by their key where nothing reads as a name', () => {
    const of = [
      key('InvoiceId'),
      foreign('CustomerId'),
      number('Total'),
      column('BillingAddress'),
      column('BillingCity'),
      column('state', { uidt: 'SingleSelect' }),
      column('mood', { uidt: 'SingleSelect' }),
    ];
    expect(displayOfExternal('Invoice', of)?.column_name).toBe('InvoiceId');
    expect(displayOfExternal('Line', [number('UnitPrice'), key('LineId')])?.column_name).toBe('LineId');
    const keyless = [foreign('CustomerId'), number('Total'), column('city')];
    expect(displayOfExternal('Sum', keyless)?.column_name).toBe('Total');
    expect(displayOfExternal('Only', [foreign('a')])?.column_name).toBe('a');
  });
});
