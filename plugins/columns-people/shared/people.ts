/** A person as shown in cells. */
export interface Person {
  readonly email: string;
  /** First and last name; undefined if not given. */
  readonly name?: string;
}

/** The answer of the route for a project's people. */
export interface People {
  readonly list: readonly Person[];
}

/** A person's name, or else the part of the address before the @. */
export function nameOf({ email, name }: Person): string {
  return name ?? email.split('@')[0] ?? email;
}

/** One or two letters in place of a picture. */
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

/** The hue of an address in degrees, the same everywhere. */
export function hueOf(email: string): number {
  let hue = 0;
  for (const character of email) hue = (hue * 31 + (character.codePointAt(0) ?? 0)) % 360;
  return hue;
}
