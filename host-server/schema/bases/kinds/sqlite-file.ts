import type { BaseKind } from '@trellis/sdk/server';
import { given, objectAt } from './config-keys.ts';

/** A SQLite file in the server's folder of SQLite files. */
export const sqliteFile: BaseKind = {
  id: 'sqlite3',
  label: 'SQLite',
  order: 30,
  settings: {
    type: 'object',
    required: ['file'],
    additionalProperties: false,
    properties: {
      file: {
        type: 'string',
        title: 'SQLite file',
        minLength: 1,
        maxLength: 1000,
        // The browser would send half a name, and SQLite reads `file:` as an address with options.
        pattern: '^(?![fF][iI][lL][eE]:)[^\\u0000]+$',
        'x-ui': { target: true },
      },
      readOnly: { type: 'boolean', title: 'Read only', default: false },
      schemaChanges: { type: 'boolean', title: 'Change tables and columns from here', default: true },
    },
  },
  // Clients of the v1 API send the name in one of several places, within a description of the driver.
  fromConfig(config) {
    const inner = objectAt(config, 'connection');
    const innermost = objectAt(inner, 'connection');
    const file = innermost.filename ?? inner.filename ?? inner.database ?? config.filename;
    return given({ file });
  },
  target: ({ file }) => ({ dialect: 'sqlite', file: String(file) }),
};
