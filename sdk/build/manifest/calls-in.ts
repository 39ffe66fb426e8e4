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
  readonly properties?: readonly { readonly key?: SyntaxNode; readonly value?: SyntaxNode }[];
}

/** The arguments of all calls of a method by its name, such as `ctx.tap(...)`, in a build. */
export async function callsIn(dist: string, method: string): Promise<readonly (readonly SyntaxNode[])[]> {
  const files = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.js'));
  const calls: (readonly SyntaxNode[])[] = [];
  for (const file of files) {
    const { program } = parseSync(file, await readFile(join(dist, file), 'utf8'), { lang: 'js' });
    forEachNode(program, ({ type, callee, arguments: given = [] }) => {
      if (type === 'CallExpression' && callee?.property?.name === method) calls.push(given);
    });
  }
  return calls;
}

function forEachNode(value: unknown, call: (node: SyntaxNode) => void): void {
  if (Array.isArray(value)) for (const item of value) forEachNode(item, call);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  if ('type' in value) call(value as SyntaxNode);
  for (const child of Object.values(value)) forEachNode(child, call);
}
