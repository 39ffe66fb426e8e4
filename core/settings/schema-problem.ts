/** A problem with a value or a schema. */
export interface SchemaProblem {
  /** JSON pointer to the value; the empty text is the root. */
  readonly path: string;
  /** The keyword that the value violates. */
  readonly keyword: string;
  /** The rule in English, to be read after the path: "must be a whole number". */
  readonly message: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A JSON pointer extended by one step. */
export function pointer(path: string, step: string | number): string {
  return `${path}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The first problem of each field, by its pointer; a missing property counts as a problem of that property. @public */
export function problemsByField(problems: readonly SchemaProblem[]): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { path, keyword, message, params } of problems) {
    const missing = keyword === 'required' ? params?.property : undefined;
    if (typeof missing === 'string') found[pointer(path, missing)] ??= 'is required';
    else found[path] ??= message;
  }
  return found;
}

/** All problems as one text, a line each, with their paths. */
export function describeProblems(problems: readonly SchemaProblem[]): string {
  return problems
    .map((problem) => `${problem.path === '' ? '(root)' : problem.path} ${problem.message}`)
    .join('\n');
}
