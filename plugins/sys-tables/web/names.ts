import type { ProjectEntity } from '@trellis/sdk/shared';

/** A text that is yet to be translated, with its values. */
export interface Problem {
  readonly text: string;
  readonly values?: Readonly<Record<string, string>>;
}

const forbidden = /[./\\]/;

/** What of a project says by which rules names are made. */
type NamingProject = Pick<ProjectEntity, 'meta'> | undefined;

/** What is wrong with the name of a table or a column by the product's rules, or undefined. */
export function nameProblem(
  of: 'Table' | 'Column',
  name: string,
  taken: readonly string[],
  project?: NamingProject,
): Problem | undefined {
  if (name.trim() === '') {
    return { text: of === 'Table' ? 'Table name required' : 'Column name required' };
  }
  if (forbidden.test(name)) return { text: 'Following characters are not allowed . / \\' };
  const strict = project?.meta?.strictNames === true ? strictProblem(name.trim()) : undefined;
  if (strict !== undefined) return strict;
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

/** A project with strict names takes letters, digits and underscores alone. */
function strictProblem(name: string): Problem | undefined {
  const characters = [...new Set(name.replaceAll(/[A-Za-z0-9_]/g, ''))].join(' ');
  if (characters !== '')
    return { text: 'Following characters are not allowed {{characters}}', values: { characters } };
  return /^[0-9]/.test(name) ? { text: 'Name should start with an alphabet or _' } : undefined;
}

/** `Title`, or `Title2` and so on where it is taken. */
export function freeName(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map((other) => other.toLowerCase()));
  if (!used.has(name.toLowerCase())) return name;
  for (let count = 2; ; count += 1) if (!used.has(`${name}${count}`.toLowerCase())) return `${name}${count}`;
}
