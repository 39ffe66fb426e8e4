import { expect, test } from '@jest/globals';
import { text } from '../../sql/fragment.ts';
import { mysqlTexts } from './mysql.ts';

test('characters are made in the character set of texts: MySQL refuses patterns and replacements that are bytes', () => {
  const value = text('v');
  const made = [mysqlTexts.encodeUrl(value), mysqlTexts.replaceMatches(value, 'a', value)];
  for (const { sql } of made) {
    expect(sql).toContain('char(92 using utf8mb4)');
    expect(sql).not.toContain('char(92)');
  }
});
