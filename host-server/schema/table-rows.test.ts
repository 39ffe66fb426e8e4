import { describe, expect, test } from '@jest/globals';
import { withDisplayOfExternal } from './table-rows.ts';

type Rows = Parameters<typeof withDisplayOfExternal>[0];

/** The column by which rows are called, of a key and texts with these names. */
function namedBy(...names: readonly string[]): string | undefined {
  const key = { id: 'key', column_name: 'Id', storage: 'integer', primary_key: true, uidt: 'Number' };
  const texts = names.map((column_name) => ({
    id: column_name,
    column_name,
    storage: 'string',
    primary_key: false,
    uidt: 'SingleLineText',
  }));
  const columns = withDisplayOfExternal([key, ...texts] as unknown as Rows);
  return columns.find(({ display }) => display)?.column_name;
}

describe('rows of a database that was there before are called', () => {
  test.each([
    [['Title', 'Name'], 'Name'],
    // What somebody is called by, and not what they work as.
    [['LastName', 'FirstName', 'Title'], 'LastName'],
    [['FirstName', 'last_name', 'Company'], 'last_name'],
    [['Code', 'Title'], 'Title'],
    [['username', 'file_name_hash'], 'username'],
  ])('of %j by %s', (names, expected) => {
    expect(namedBy(...names)).toBe(expected);
  });
});
