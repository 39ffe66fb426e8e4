import type { AccessScope, TableSchema } from '@trellis/sdk/server';
import type { Method, Operation, PathItem, Parameter, Reference } from '../shared/index.ts';
import { refusal, type Names } from './open-api.ts';

/** What the paths of a table are built from. */
export interface TablePlace {
  /** The project's title. */
  readonly project: string;
  readonly table: TableSchema;
  readonly scope: Pick<AccessScope, 'may'>;
  /** Names of tables in schemas, unique in the document. */
  readonly tableNames: Names;
  /** Names of operations, unique in the document. */
  readonly operationNames: Names;
}

/** A call: its permission and description, without what all calls have in common. */
interface Call extends Pick<Operation, 'summary' | 'requestBody'> {
  readonly method: Method;
  readonly permission: string;
  /** The first part of its name: `list`. */
  readonly name: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly answer: Operation['responses'][string];
}

/** Collects calls by their paths. */
export type Adder = ((path: string, call: Call) => void) & { readonly paths: Record<string, PathItem> };

/** Collects the calls that the caller may make on the rows of a table, or of one of its views. */
export function adder({ scope, operationNames, table }: TablePlace, view?: string): Adder {
  const subject = view === undefined ? table.title : `${table.title} ${view} view`;
  const paths: Record<string, PathItem> = {};
  const add = (path: string, { method, permission, name, answer, summary, ...said }: Call): void => {
    if (!scope.may(permission)) return;
    const operation: Operation = {
      operationId: operationNames.of(`${name} ${subject}`),
      tags: [table.title],
      // Calls of the table and of each view are in one list.
      summary: view === undefined ? summary : `${summary} (view ${view})`,
      ...said,
      responses: { 200: answer, default: refusal },
    };
    paths[path] = { ...paths[path], [method]: operation };
  };
  return Object.assign(add, { paths });
}
