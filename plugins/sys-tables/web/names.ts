/** A text that is yet to be translated, with its values. */
export interface Problem {
  readonly text: string;
  readonly values?: Readonly<Record<string, string>>;
}

const forbidden = /[./\\]/;

/** What is wrong with the name of a table or a column by the product's rules, or undefined. */
export function nameProblem(
  of: 'Table' | 'Column',
  name: string,
  taken: readonly string[],
): Problem | undefined {
  if (name.trim() === '') {
    return { text: of === 'Table' ? 'Table name required' : 'Column name required' };
  }
  if (forbidden.test(name)) return { text: 'Following characters are not allowed . / \\' };
  if (name.length > 255) {
    return {
      text: of === 'Table' ? 'Table name exceeds 255 characters' : 'Column name exceeds 255 characters',
    };
  }
  const wanted = name.trim().toLowerCase();
  return taken.some((other) => other.toLowerCase() === wanted)
    ? { text: "There is already one called '{{name}}'", values: { name: name.trim() } }
    : undefined;
}

/** `Title`, or `Title2` and so on where it is taken. */
export function freeName(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map((other) => other.toLowerCase()));
  if (!used.has(name.toLowerCase())) return name;
  for (let count = 2; ; count += 1) if (!used.has(`${name}${count}`.toLowerCase())) return `${name}${count}`;
}
