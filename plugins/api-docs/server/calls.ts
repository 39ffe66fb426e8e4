import type { AccessScope, TableSchema } from '@trellis/sdk/server';
import type { Method, Operation, PathItem, Parameter, Reference } from '../shared/index.ts';
import { refusal, type Names } from './open-api.ts';

/** What the paths of a table are made with. */
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

/** A call: what it needs and what it says, without what all calls have. */
interface Call extends Pick<Operation, 'summary' | 'requestBody'> {
  readonly method: Method;
  readonly permission: string;
  /** The beginning of its name: `list`. */
  readonly name: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly answer: Operation['responses'][string];
}

/** Gathers calls by their paths. */
export type Adder = ((path: string, call: Call) => void) & { readonly paths: Record<string, PathItem> };

/** Gathers the calls that the caller may make. */
export function adder({ scope, operationNames }: TablePlace, tag: string, subject: string): Adder {
  const paths: Record<string, PathItem> = {};
  const add = (path: string, { method, permission, name, answer, ...said }: Call): void => {
    if (!scope.may(permission)) return;
    const operation: Operation = {
      operationId: operationNames.of(`${name} ${subject}`),
      tags: [tag],
      ...said,
      responses: { 200: answer, default: refusal },
    };
    paths[path] = { ...paths[path], [method]: operation };
  };
  return Object.assign(add, { paths });
}
