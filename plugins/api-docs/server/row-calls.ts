import type { Adder } from './calls.ts';
import type { Parameter } from '../shared/index.ts';
import { json, jsonBody } from './open-api.ts';
import { condition, page, pageOf, param, query, schema } from './references.ts';

/** The calls on rows that tables and views have in common. */
export function addRows(
  add: Adder,
  path: string,
  of: { readonly request: string; readonly response: string; readonly nested: readonly Parameter[] },
): void {
  const row = schema(`${of.response}Response`);
  const input = schema(`${of.request}Request`);
  const rowPath = `${path}/{rowId}`;
  const ofRow = [param('rowId')];
  add(path, {
    method: 'get',
    permission: 'dataList',
    name: 'list',
    summary: 'List rows',
    parameters: [...query, ...page, param('shuffle'), ...of.nested],
    answer: json(pageOf(row), 'A page of rows'),
  });
  add(path, {
    method: 'post',
    permission: 'dataInsert',
    name: 'add',
    summary: 'Add a row',
    requestBody: jsonBody(schema(`${of.request}New`)),
    answer: json(row, 'The row'),
  });
  add(rowPath, {
    method: 'get',
    permission: 'dataRead',
    name: 'read',
    summary: 'Read a row',
    parameters: [...ofRow, param('fields'), ...of.nested],
    answer: json(row, 'The row'),
  });
  add(rowPath, {
    method: 'patch',
    permission: 'dataUpdate',
    name: 'change',
    summary: 'Change cells of a row',
    parameters: ofRow,
    requestBody: jsonBody(input),
    answer: json(row, 'The row'),
  });
  add(rowPath, {
    method: 'delete',
    permission: 'dataDelete',
    name: 'delete',
    summary: 'Delete a row',
    parameters: ofRow,
    answer: json({}, '1, or why nothing was deleted'),
  });
  add(`${rowPath}/exist`, {
    method: 'get',
    permission: 'dataExist',
    name: 'exists',
    summary: 'Ask whether a row exists',
    parameters: ofRow,
    answer: json({ type: 'boolean' }, 'Whether it does'),
  });
  add(`${path}/count`, {
    method: 'get',
    permission: 'dataCount',
    name: 'count',
    summary: 'Count rows',
    parameters: condition,
    answer: json(
      { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } },
      'How many rows there are',
    ),
  });
  add(`${path}/find-one`, {
    method: 'get',
    permission: 'dataFindOne',
    name: 'find one',
    summary: 'Read the first row that meets a condition',
    parameters: query,
    answer: json(row, 'The row, or an empty object'),
  });
  add(`${path}/groupby`, {
    method: 'get',
    permission: 'dataGroupBy',
    name: 'group',
    summary: 'Count rows by the values of a column',
    parameters: [param('column'), ...condition, param('sort'), ...page],
    answer: json(pageOf(schema('Group')), 'A page of values with their counts'),
  });
  add(`${path}/export/{type}`, {
    method: 'get',
    permission: 'exportCsv',
    name: 'export',
    summary: 'Export rows as a file',
    parameters: [param('type'), ...query],
    answer: { description: 'The file', content: { 'text/csv': { schema: { type: 'string' } } } },
  });
}
