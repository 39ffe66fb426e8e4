import type { JsonSchema } from '@trellis/sdk/shared';
import type { Parameter, Reference } from '../shared/index.ts';
import { refersTo } from './open-api.ts';

export const param = (name: string): Reference => refersTo(`parameters/${name}`);
export const schema = (name: string): Reference => refersTo(`schemas/${name}`);

/** Parameters that filter rows. */
export const condition = [param('where')];
/** Parameters that filter rows, sort them and choose their columns. */
export const query = [...condition, param('sort'), param('fields')];
/** Parameters for a part of the rows. */
export const page = [param('limit'), param('offset')];

/** A page of such items. */
export function pageOf(item: Reference | JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['list', 'pageInfo'],
    properties: {
      list: { type: 'array', items: item },
      pageInfo: schema('Paginated'),
    },
  };
}

/** The parameters that `param` refers to. */
export const parameters: Readonly<Record<string, Parameter>> = {
  rowId: {
    name: 'rowId',
    in: 'path',
    required: true,
    description: 'The key of the row; keys of several columns are joined by ___',
    schema: { type: 'string' },
  },
  refRowId: {
    name: 'refRowId',
    in: 'path',
    required: true,
    description: 'The key of the other row',
    schema: { type: 'string' },
  },
  type: {
    name: 'type',
    in: 'path',
    required: true,
    description: 'The format of the file',
    schema: { type: 'string', examples: ['csv'] },
  },
  where: {
    name: 'where',
    in: 'query',
    description:
      'Which rows: (Title,eq,Text)~and(Count,gt,5). Options of a list: (Kind,anyof,Talk,"Party, late"), in quotes where one holds a comma.',
    schema: { type: 'string' },
  },
  sort: {
    name: 'sort',
    in: 'query',
    description: 'Titles of columns, separated by commas; - for descending',
    schema: { type: 'string' },
  },
  fields: {
    name: 'fields',
    in: 'query',
    description: 'Titles of the columns to answer, separated by commas',
    schema: { type: 'string' },
  },
  limit: {
    name: 'limit',
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 25 },
  },
  offset: { name: 'offset', in: 'query', schema: { type: 'integer', minimum: 0, default: 0 } },
  shuffle: {
    name: 'shuffle',
    in: 'query',
    description: '1: in random order',
    schema: { enum: [0, 1] },
  },
  column: {
    name: 'column_name',
    in: 'query',
    required: true,
    description: 'The name of the column in the database',
    schema: { type: 'string' },
  },
};
