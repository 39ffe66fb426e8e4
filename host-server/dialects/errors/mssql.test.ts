import { describe, expect, test } from '@jest/globals';
import { mssqlErrors } from './mssql.ts';

/** Errors as the driver gives them: the server's number, and its words (sys.messages). */
function told(number: number, message: string, more: object = {}): Error {
  return mssqlErrors.toDatabaseError(
    Object.assign(new Error(message), { code: 'EREQUEST', number, ...more }),
  );
}

describe('an error of SQL Server', () => {
  test.each([
    [
      2627,
      "Violation of UNIQUE KEY constraint 'UQ_mail'. Cannot insert duplicate key in object 'dbo.person'.",
      { kind: 'unique', constraint: 'UQ_mail', table: 'person' },
    ],
    [
      2601,
      "Cannot insert duplicate key row in object 'dbo.person' with unique index 'one'.",
      { kind: 'unique', constraint: 'one', table: 'person' },
    ],
    [
      547,
      'The INSERT statement conflicted with the FOREIGN KEY constraint "FK_a". The conflict occurred in database "shop", table "dbo.customer", column \'id\'.',
      { kind: 'foreignKey', constraint: 'FK_a', table: 'customer', columns: ['id'] },
    ],
    [547, 'The DELETE statement conflicted with the REFERENCE constraint "FK_a".', { kind: 'foreignKey' }],
    [
      547,
      'The UPDATE statement conflicted with the CHECK constraint "CK_a".',
      { kind: 'check', constraint: 'CK_a' },
    ],
    [
      515,
      "Cannot insert the value NULL into column 'name', table 'shop.dbo.person'; column does not allow nulls. INSERT fails.",
      { kind: 'notNull', columns: ['name'], table: 'person' },
    ],
    [1205, 'Transaction (Process ID 52) was deadlocked on lock resources', { kind: 'deadlock' }],
    [8152, 'String or binary data would be truncated.', { kind: 'outOfRange' }],
    [
      2628,
      "String or binary data would be truncated in table 'shop.dbo.person', column 'name'. Truncated value: 'abc'.",
      { kind: 'outOfRange', columns: ['name'] },
    ],
    [1222, 'Lock request time out period exceeded.', { kind: 'busy' }],
    [208, "Invalid object name 'nobody'.", { kind: 'missingTable' }],
    [207, "Invalid column name 'nothing'.", { kind: 'missingColumn', columns: ['nothing'] }],
    [
      229,
      "The INSERT permission was denied on the object 'person', database 'shop', schema 'dbo'.",
      { kind: 'readOnly' },
    ],
    [18456, "Login failed for user 'me'.", { kind: 'unreachable', code: 'DATABASE_LOGIN' }],
    [
      4060,
      'Cannot open database "x" requested by the login. The login failed.',
      { kind: 'unreachable', code: 'DATABASE_MISSING' },
    ],
    [2714, "There is already an object named 'person' in the database.", { kind: 'check', status: 400 }],
    [
      5074,
      "The index 'one' is dependent on column 'name'.",
      { kind: 'check', columns: ['name'], status: 400 },
    ],
    [
      3726,
      "Could not drop object 'person' because it is referenced by a FOREIGN KEY constraint.",
      { kind: 'foreignKey', table: 'person' },
    ],
    [
      4901,
      "ALTER TABLE only allows columns to be added that can contain nulls. Column 'name' cannot be added to non-empty table 'person'.",
      { kind: 'notNull', columns: ['name'], table: 'person' },
    ],
    [99_999, 'Something new', { kind: 'unknown' }],
  ])('%i is told by kind, with the names in it: %s', (number, message, expected) => {
    expect(told(number, message)).toMatchObject(expected);
    expect(told(number, message).message).not.toBe(message);
  });

  test('of several at once is the one that says something', () => {
    const errors = [
      Object.assign(new Error('Violation of PRIMARY KEY'), { number: 2627 }),
      Object.assign(new Error('The statement has been terminated.'), { number: 3621 }),
    ];
    expect(mssqlErrors.toDatabaseError(Object.assign(new Error(''), { errors }))).toMatchObject({
      kind: 'unique',
    });
  });

  test.each([
    ['RequestError', 'ECANCEL', 'cancelled'],
    ['RequestError', 'ETIMEOUT', 'timeout'],
    ['ConnectionError', 'ETIMEOUT', 'unreachable'],
    ['ConnectionError', 'ESOCKET', 'unreachable'],
    ['RequestError', 'ECONNCLOSED', 'unreachable'],
  ])('of the driver itself, %s %s, is %s', (name, code, kind) => {
    const error = Object.assign(new Error('x'), { name, code });
    expect(mssqlErrors.toDatabaseError(error)).toMatchObject({ kind });
  });

  test('that is somebody else’s stays as it is', () => {
    const mine = new TypeError('mine');
    expect(mssqlErrors.toDatabaseError(mine)).toBe(mine);
  });
});
