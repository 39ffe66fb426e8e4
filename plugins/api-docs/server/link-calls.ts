import type { TableSchema } from '@trellis/sdk/server';
import type { Adder } from './calls.ts';
import type { Parameter } from '../shared/index.ts';
import { json } from './open-api.ts';
import { condition, page, pageOf, param, schema } from './references.ts';

/** The calls on the linked rows of a row. */
export function addLinks(add: Adder, path: string, table: TableSchema): void {
  const kinds = { hasMany: 'hm', manyToMany: 'mm', belongsTo: 'bt' } as const;
  for (const column of table.columns) {
    const link = table.links.find(({ id }) => id === column.linkId);
    if (link === undefined || column.system) continue;
    const kind = kinds[link.kind];
    const at = `${path}/{rowId}/${kind}/${encodeURIComponent(column.title)}`;
    const ofRow = [param('rowId')];
    const list = [...ofRow, ...condition, param('sort'), ...page];
    if (kind !== 'bt')
      add(at, {
        method: 'get',
        permission: `${kind}List`,
        name: `list ${column.title} of`,
        summary: `List the rows in ${column.title}`,
        parameters: list,
        answer: json(pageOf({ type: 'object' }), 'A page of rows'),
      });
    add(`${at}/exclude`, {
      method: 'get',
      permission: `${kind}ExcludedList`,
      name: `list others than ${column.title} of`,
      summary: `List rows that could be linked in ${column.title}`,
      parameters: list,
      answer: json(pageOf({ type: 'object' }), 'A page of rows'),
    });
    const both = [...ofRow, param('refRowId')];
    const done = json(schema('Done'), 'Done');
    add(`${at}/{refRowId}`, {
      method: 'post',
      permission: 'relationDataAdd',
      name: `link ${column.title} of`,
      summary: `Link a row in ${column.title}`,
      parameters: both,
      answer: done,
    });
    add(`${at}/{refRowId}`, {
      method: 'delete',
      permission: 'relationDataRemove',
      name: `unlink ${column.title} of`,
      summary: `Take a link in ${column.title} away`,
      parameters: both,
      answer: done,
    });
  }
}

/** The parameters for the linked rows in cells. */
export function nestedParameters(table: TableSchema): readonly Parameter[] {
  return table.columns
    .filter(({ linkId, system }) => linkId !== undefined && !system)
    .flatMap(({ title }) =>
      ['fields', 'where', 'sort', 'limit', 'offset'].map((part): Parameter => {
        const isCount = part === 'limit' || part === 'offset';
        return {
          name: `nested[${title}][${part}]`,
          in: 'query',
          schema: { type: isCount ? 'integer' : 'string' },
        };
      }),
    );
}
