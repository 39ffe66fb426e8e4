/** Somebody as a cell shows them. */
export interface Person {
  readonly email: string;
  /** First and last name; undefined for somebody who gave none. */
  readonly name?: string;
}

/** What the route of a project's people answers. */
export interface People {
  readonly list: readonly Person[];
}

/** The words by which somebody is called where no more is known of them than the address. */
export function nameOf({ email, name }: Person): string {
  return name ?? email.split('@')[0] ?? email;
}

/** One or two letters for a picture. */
export function initialsOf(person: Person): string {
  const words = nameOf(person)
    .split(/[\s._+-]+/)
    .filter((word) => word !== '');
  const [first = '?', ...others] = words;
  const last = others.at(-1) ?? '';
  return [first, last]
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toUpperCase();
}

/** A colour of the address, the same everywhere: degrees on the circle of colours. */
export function hueOf(email: string): number {
  let hue = 0;
  for (const character of email) hue = (hue * 31 + (character.codePointAt(0) ?? 0)) % 360;
  return hue;
}
