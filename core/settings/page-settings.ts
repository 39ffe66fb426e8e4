import type { JsonSchema } from './json-schema.ts';
import { pointer, type SchemaProblem } from './schema-problem.ts';
import { secretPaths } from './secrets.ts';
import { isRecord, setOwn } from './values.ts';

/** Whether a schema marks a value that every page may know, even of people who are not signed in. */
function isMarked(schema: JsonSchema): boolean {
  return schema['x-page'] === true;
}

/** The part of settings marked with `x-page`, which the web half of a plugin gets. */
export function pagePart(schema: JsonSchema, value: unknown): unknown {
  if (isMarked(schema)) return value;
  if (!isRecord(value)) return undefined;
  const part: Record<string, unknown> = {};
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const shown = Object.hasOwn(value, name) ? pagePart(child, value[name]) : undefined;
    if (shown !== undefined) setOwn(part, name, shown);
  }
  return Object.keys(part).length > 0 ? part : undefined;
}

/**
 * The problems with the marks of an otherwise valid schema: a secret under a mark, a mark that is neither true nor false, and a
 * mark on something else than the settings or one of their properties, where it would do nothing.
 */
export function checkPageMarks(schema: JsonSchema): readonly SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  /** The places of marks in the schema, by the path that they mark. */
  const marked = new Map<string, string>();
  const report = (path: string, message: string) =>
    problems.push({ path: pointer(path, 'x-page'), keyword: 'schema', message });
  const walk = (at: unknown, path: string, valuePath: string | undefined): void => {
    if (Array.isArray(at))
      for (const [index, child] of at.entries()) walk(child, pointer(path, index), undefined);
    if (!isRecord(at)) return;
    const mark = at['x-page'];
    if (mark !== undefined && typeof mark !== 'boolean') report(path, 'must be true or false');
    if (mark === true && valuePath === undefined) report(path, 'can only mark a property of the settings');
    if (mark === true && valuePath !== undefined) marked.set(valuePath, path);
    for (const [keyword, child] of Object.entries(at)) {
      if (keyword === 'properties' && isRecord(child)) {
        for (const [name, property] of Object.entries(child)) {
          const steps = pointer(pointer(path, keyword), name);
          walk(property, steps, valuePath === undefined ? undefined : pointer(valuePath, name));
        }
      } else if (!valueKeywords.has(keyword)) walk(child, pointer(path, keyword), undefined);
    }
  };
  walk(schema, '', '');
  for (const secret of secretPaths(schema)) {
    for (const [value, path] of marked)
      if (reaches(value, secret))
        report(path, `cannot be set: ${secret} is a secret, and what is marked is sent to everybody's page`);
  }
  return problems;
}

/** Keywords that contain values and not schemas. */
const valueKeywords = new Set(['default', 'examples', 'const', 'enum', 'x-ui', 'x-v1', 'required']);

/** Whether a marked path contains a secret; a star in the secret's path matches any step. */
function reaches(marked: string, secret: string): boolean {
  const [steps, secretSteps] = [marked.split('/'), secret.split('/')];
  return steps.every((step, index) => step === secretSteps[index] || secretSteps[index] === '*');
}
