import type { JsonSchema } from './json-schema.ts';
import { pointer, type SchemaProblem } from './schema-problem.ts';
import { secretPaths } from './secrets.ts';
import { isRecord, setOwn } from './values.ts';

/** Whether a schema marks a value that everybody's page may know, who is not signed in included. */
function isMarked(schema: JsonSchema): boolean {
  return schema['x-page'] === true;
}

/** The part of settings that is marked with `x-page`: what the web half of a plugin is given. */
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
 * What is wrong with the marks of a schema that is sound otherwise: a secret under a mark, a mark that is neither true nor false, and one on something
 * other than the settings or a property of theirs, where it would do nothing.
 */
export function checkPageMarks(schema: JsonSchema): readonly SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  /** Where marks stand in the schema, by what they mark. */
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

/** Keywords that hold values and no schemas. */
const valueKeywords = new Set(['default', 'examples', 'const', 'enum', 'x-ui', 'x-v1', 'required']);

/** Whether a marked path holds a secret or may be one; a star in the secret's path stands for any step. */
function reaches(marked: string, secret: string): boolean {
  const [steps, secretSteps] = [marked.split('/'), secret.split('/')];
  return steps.every((step, index) => step === secretSteps[index] || secretSteps[index] === '*');
}
