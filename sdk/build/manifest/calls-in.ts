import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSync } from 'rolldown/utils';

/** A part of a program, as far as arguments of calls are read. */
export interface SyntaxNode {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly callee?: SyntaxNode;
  readonly property?: SyntaxNode;
  readonly arguments?: readonly SyntaxNode[];
  readonly properties?: readonly Property[];
}

/** An entry of an object, or with `argument` another object whose entries it takes in. */
interface Property {
  readonly key?: SyntaxNode;
  readonly value?: SyntaxNode;
  readonly argument?: SyntaxNode;
}

/** What a file declares outside of functions, by name. */
type Constants = ReadonlyMap<string, SyntaxNode>;

/**
 * The arguments of all calls of a method by its name, such as `ctx.tap(...)`, in a build. Constants of a file stand there as what
 * they are, also within objects.
 */
export async function callsIn(dist: string, method: string): Promise<readonly (readonly SyntaxNode[])[]> {
  const files = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.js'));
  const calls: (readonly SyntaxNode[])[] = [];
  for (const file of files) {
    const { program } = parseSync(file, await readFile(join(dist, file), 'utf8'), { lang: 'js' });
    const constants = constantsOf(program.body as readonly Statement[]);
    forEachNode(program, ({ type, callee, arguments: given = [] }) => {
      if (type === 'CallExpression' && callee?.property?.name === method)
        calls.push(given.map((node) => resolved(node, constants)));
    });
  }
  return calls;
}

interface Statement {
  readonly type: string;
  readonly declarations?: readonly { readonly id: SyntaxNode; readonly init: SyntaxNode | null }[];
}

function constantsOf(body: readonly Statement[]): Constants {
  const declared = body.flatMap(({ declarations = [] }) => declarations);
  return new Map(declared.flatMap(({ id, init }) => (init === null ? [] : [[id.name ?? '', init]])));
}

/** @param within the names whose values are being read, which a value may contain itself */
function resolved(node: SyntaxNode, constants: Constants, within: readonly string[] = []): SyntaxNode {
  const { type, name = '', properties } = node;
  const value = type === 'Identifier' && !within.includes(name) ? constants.get(name) : undefined;
  if (value !== undefined) return resolved(value, constants, [...within, name]);
  if (type !== 'ObjectExpression' || properties === undefined) return node;
  const inner = (of: SyntaxNode) => resolved(of, constants, within);
  return {
    ...node,
    properties: properties.flatMap((property) =>
      property.argument === undefined
        ? [{ ...property, ...(property.value === undefined ? {} : { value: inner(property.value) }) }]
        : (inner(property.argument).properties ?? []),
    ),
  };
}

function forEachNode(value: unknown, call: (node: SyntaxNode) => void): void {
  if (Array.isArray(value)) for (const item of value) forEachNode(item, call);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  if ('type' in value) call(value as SyntaxNode);
  for (const child of Object.values(value)) forEachNode(child, call);
}
