import type { ProjectEntity } from '@trellis/sdk/shared';

/** An untranslated text with its values. */
export interface Problem {
  readonly text: string;
  readonly values?: Readonly<Record<string, string>>;
}

const forbidden = /[./\\]/;

/** The part of a project that contains its naming rules. */
type NamingProject = Pick<ProjectEntity, 'meta'> | undefined;

/** The problem of a table's or column's name by the product's rules, or undefined. */
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

/** A project with strict names accepts only letters, digits and underscores. */
function strictProblem(name: string): Problem | undefined {
  const characters = [...new Set(name.replaceAll(/[A-Za-z0-9_]/g, ''))].join(' ');
  if (characters !== '')
    return { text: 'Following characters are not allowed {{characters}}', values: { characters } };
  return /^[0-9]/.test(name) ? { text: 'Name should start with an alphabet or _' } : undefined;
}

/** `Title`, or `Title2` and so on if that is taken. */
export function freeName(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map((other) => other.toLowerCase()));
  if (!used.has(name.toLowerCase())) return name;
  for (let count = 2; ; count += 1) if (!used.has(`${name}${count}`.toLowerCase())) return `${name}${count}`;
}
