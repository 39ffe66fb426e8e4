import type { JsonSchema } from '@trellis/core';
import type { RouteDefinition } from '@trellis/sdk/server';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { httpErrors } from './http-errors.ts';

type UnknownKeys = 'drop' | 'refuse';

/** Checks one part of a request, and removes what its schema does not name. Throws 400 naming the field and the rule. */
type Validate = (value: unknown) => void;

/** The validators of a route's requests, by part; a part without a schema has none. */
export interface RouteValidators {
  readonly params: Validate | undefined;
  readonly query: Validate | undefined;
  readonly body: Validate | undefined;
}

const options = {
  allErrors: false,
  strict: true,
  allowUnionTypes: true,
  useDefaults: false,
  validateFormats: false,
} as const;
const dropping = new Ajv({ ...options, removeAdditional: true });
const refusing = new Ajv(options);

const compiled = new WeakMap<RouteDefinition, RouteValidators>();

/**
 * Compiles a route's schemas on first use: compiling all of the product's takes longer than the rest of its plugins' start, and a
 * server needs a tenth of them in its first hour.
 *
 * @throws Error that names the route when a schema cannot be compiled.
 */
export function validatorsOf(route: RouteDefinition): RouteValidators {
  const known = compiled.get(route);
  if (known !== undefined) return known;
  const { schemas, unknownKeys = 'drop' } = route;
  try {
    const validators = {
      params: compile(schemas?.params, 'path', 'drop'),
      query: compile(schemas?.query, 'query', 'drop'),
      body: compile(schemas?.body, 'body', unknownKeys),
    };
    compiled.set(route, validators);
    return validators;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Error(`A schema of ${route.method} ${route.path} cannot be used: ${problem}.`, {
      cause: error,
    });
  }
}

function compile(
  schema: JsonSchema | undefined,
  part: string,
  unknownKeys: UnknownKeys,
): Validate | undefined {
  if (schema === undefined) return undefined;
  const check = compileWith(unknownKeys, schema);
  return (value) => {
    if (!check(value)) throw httpErrors.create('INVALID', { problem: problemOf(part, check.errors?.[0]) });
  };
}

function compileWith(unknownKeys: UnknownKeys, schema: JsonSchema): ValidateFunction {
  const ajv = unknownKeys === 'refuse' ? refusing : dropping;
  const own = closed(schema);
  try {
    return ajv.compile(own);
  } finally {
    // Otherwise ajv keeps it for ever, and refuses a schema with the same `$id` from another route, or the same one after its
    // plugin was switched off and on.
    ajv.removeSchema(own);
  }
}

type Node = Readonly<Record<string, unknown>>;

function mapSchemas(schema: Node, change: (node: Node) => Node): Node {
  const mapAll = (of: unknown) =>
    Object.fromEntries(
      Object.entries(of as Record<string, Node>).map(([name, node]) => [name, mapSchemas(node, change)]),
    );
  return change({
    ...schema,
    ...(schema.properties !== undefined && { properties: mapAll(schema.properties) }),
    ...(typeof schema.items === 'object' && { items: mapSchemas(schema.items as Node, change) }),
  });
}

/** Objects with named properties accept no others. */
function closed(schema: JsonSchema): Node {
  return mapSchemas(schema as Node, (node) =>
    node.properties !== undefined && node.additionalProperties === undefined
      ? { ...node, additionalProperties: false }
      : node,
  );
}

function problemOf(part: string, error: ErrorObject | undefined): string {
  if (error === undefined) return `The ${part} is not valid.`;
  const path = error.instancePath.replace(/^\//, '').replaceAll('/', '.');
  const where = path === '' ? `The ${part}` : `'${path}'`;
  switch (error.keyword) {
    case 'required':
      return `${where === `The ${part}` ? '' : `${where}: `}'${String((error.params as { missingProperty: string }).missingProperty)}' is missing.`;
    case 'additionalProperties':
      return `${where} must not have '${String((error.params as { additionalProperty: string }).additionalProperty)}'.`;
    case 'enum':
      return `${where} must be one of ${JSON.stringify((error.params as { allowedValues: unknown }).allowedValues)}.`;
    case 'pattern':
      return `${where} has not the right form.`;
    default:
      return `${where} ${error.message ?? 'is not valid'}.`;
  }
}
