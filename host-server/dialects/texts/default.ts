import { inParts } from '../../sql/in-parts.ts';
import { sql, text, type SqlFragment } from '../../sql/fragment.ts';

/** The SQL of text functions. They count characters, not bytes, and give null for null. Counts are whole numbers of any size. */
export interface TextSql {
  /** Without the blanks at both ends. */
  trim(value: SqlFragment): SqlFragment;
  left(value: SqlFragment, count: SqlFragment): SqlFragment;
  right(value: SqlFragment, count: SqlFragment): SqlFragment;
  /** `start` counts from 1; without `count` the part reaches to the end. */
  part(value: SqlFragment, start: SqlFragment, count?: SqlFragment): SqlFragment;
  /** Joins texts, and cuts the result off at `longestText`; null parts count as empty text. */
  concat(parts: readonly SqlFragment[]): SqlFragment;
  /** An aggregate: joins the texts of rows in the order of these terms. Null without rows. */
  join(value: SqlFragment, orderBy: readonly SqlFragment[]): SqlFragment;
  /** Replaces every occurrence of `search`; an empty one never occurs. Null if the result could be longer than `longestText`. */
  replace(value: SqlFragment, search: SqlFragment, replacement: SqlFragment): SqlFragment;
  /** The position of `search` from 1, with regard to case; 0 if it does not occur. */
  position(value: SqlFragment, search: SqlFragment): SqlFragment;
  /** Null if the result is longer than `longestMade`. */
  repeat(value: SqlFragment, count: SqlFragment): SqlFragment;
  /** Pads to a length, `longestMade` at most; longer texts stay unchanged. */
  pad(side: 'left' | 'right', value: SqlFragment, length: SqlFragment, fill: SqlFragment): SqlFragment;
  /** The part with this number, from 1, between separators; empty if there are fewer, null for an empty separator. */
  splitPart(value: SqlFragment, separator: SqlFragment, number: SqlFragment): SqlFragment;
  /**
   * Percent-encoding (RFC 3986): letters, digits and `-._~` stay, every other character becomes `%` and the bytes of its UTF-8 in
   * upper-case hex digits. Null for texts longer than `longestMade`.
   */
  encodeUrl(value: SqlFragment): SqlFragment;
  /**
   * Whether the text looks like an e-mail address: a name, one `@` and a domain with a dot, at most 254 characters, without
   * blanks, commas, colons, brackets and quotes.
   */
  isEmail(value: SqlFragment): SqlFragment;
  /**
   * Whether the pattern matches. The caller has checked that the pattern is in the subset that every database reads alike and
   * matches without backtracking. Null for texts longer than `longestSearched`.
   */
  matches(value: SqlFragment, pattern: string): SqlFragment;
  /** The first match of the pattern; null if there is none. */
  matchedPart(value: SqlFragment, pattern: string): SqlFragment;
  /** Replaces all matches of the pattern with the literal replacement. Limited as `replace` is. */
  replaceMatches(value: SqlFragment, pattern: string, replacement: SqlFragment): SqlFragment;
  /**
   * Upper case for the first letter of each word, lower case for the rest; words are separated by blanks. Null for more than
   * `longestMade` characters.
   */
  proper(value: SqlFragment): SqlFragment;
}

/** The most characters of a generated text, so that a row cannot use up memory. */
const longestMade = 10_000;
/** The most characters of a text in which patterns are searched: each position may cost the rest of the text. */
const longestSearched = 2000;
/** The most characters of a text joined from others; also the most that a cell can hold. */
export const longestText = 1_000_000;
/** How many texts are joined at once: MariaDB's default limit of 16 MB holds so many of the longest ones. */
const mostJoined = 4;
/** A count beyond any possible number of characters. */
const mostCharacters = 10_000_000;

/** A count between two bounds; null stays null. */
export type Clamp = (value: SqlFragment, low: number, high?: number) => SqlFragment;

export function clampBy(
  make: (value: SqlFragment, low: SqlFragment, high: SqlFragment) => SqlFragment,
): Clamp {
  return (value, low, high = mostCharacters) => make(value, text(`${low}`), text(`${high}`));
}

/** The databases' own functions, from which the guarded ones are built. */
interface TextParts {
  readonly clamped: Clamp;
  readonly length: (value: SqlFragment) => SqlFragment;
  readonly concat: (parts: readonly SqlFragment[]) => SqlFragment;
  /** The first `count` characters. */
  readonly start: (value: SqlFragment, count: SqlFragment) => SqlFragment;
  readonly repeat: (value: SqlFragment, count: SqlFragment) => SqlFragment;
  readonly replace: (value: SqlFragment, search: SqlFragment, replacement: SqlFragment) => SqlFragment;
  readonly pad: TextSql['pad'];
  readonly splitPart: TextSql['splitPart'];
  readonly encodeUrl: TextSql['encodeUrl'];
  readonly matches: TextSql['matches'];
  readonly matchedPart: TextSql['matchedPart'];
  readonly replaceMatches: TextSql['replaceMatches'];
  readonly proper: TextSql['proper'];
  /** Whether the value, followed by a bar, matches `emailPattern`. */
  readonly matchesEmail: (value: SqlFragment) => SqlFragment;
}

const strange = ' \t\n\r,;:<>()"@';
/**
 * Ends with a bar that is appended to the text, because in some regex dialects the end sign also matches before a final line
 * break. No two ways of matching lead to the same end, so the time is linear in the length.
 */
export const emailPattern = `^[^${strange}]{1,64}@[^${strange}.|]+([.][^${strange}.|]+)+[|]$`;

/** The functions that need limits, which are the same on every database. */
export function guardedTexts(
  of: TextParts,
): Omit<TextSql, 'trim' | 'left' | 'right' | 'part' | 'join' | 'position'> {
  const { length, clamped } = of;
  /**
   * Groups are cut before they are joined. Each part occurs once in the SQL, since nested calls that repeat their parts grow
   * exponentially.
   */
  const concat: TextSql['concat'] = (parts) => {
    const groups = inParts(parts, mostJoined).map((group) =>
      of.start(of.concat(group), text(`${longestText}`)),
    );
    const [first = text("''")] = groups;
    return groups.length <= 1 ? first : concat(groups);
  };
  /** The value, or null if it has more characters. */
  const upTo = (most: number, value: SqlFragment): SqlFragment =>
    sql`(case when ${length(value)} <= ${text(`${most}`)} then ${value} end)`;
  /** The value, or null if replacing could make it too long. */
  const replaceable = (value: SqlFragment, replacement: SqlFragment): SqlFragment => {
    const isShort = sql`${length(value)} * (${length(replacement)} + 1) <= ${text(`${longestText}`)}`;
    return sql`(case when ${isShort} then ${value} end)`;
  };
  return {
    concat,
    replace: (value, search, replacement) => of.replace(replaceable(value, replacement), search, replacement),
    matches: (value, pattern) => of.matches(upTo(longestSearched, value), pattern),
    matchedPart: (value, pattern) => of.matchedPart(upTo(longestSearched, value), pattern),
    replaceMatches: (value, pattern, replacement) =>
      of.replaceMatches(replaceable(upTo(longestSearched, value), replacement), pattern, replacement),
    proper: (value) => of.proper(upTo(longestMade, value)),
    repeat(value, count) {
      const isShort = sql`${length(value)} * ${clamped(count, 0)} <= ${text(`${longestMade}`)}`;
      return of.repeat(sql`(case when ${isShort} then ${value} end)`, clamped(count, 0, longestMade));
    },
    pad(side, value, wanted, fill) {
      const stays = sql`${length(value)} >= ${wanted} or ${length(fill)} = 0`;
      const filled = of.pad(side, value, clamped(wanted, 0, longestMade), fill);
      return sql`(case when ${fill} is null or ${wanted} is null then null when ${stays} then ${value} when ${wanted} <= ${text(`${longestMade}`)} then ${filled} end)`;
    },
    encodeUrl: (value) =>
      sql`(case when ${length(value)} <= ${text(`${longestMade}`)} then ${of.encodeUrl(value)} end)`,
    isEmail: (value) => sql`(${of.matchesEmail(value)} and ${length(value)} <= 254)`,
    splitPart(value, separator, number) {
      const isThere = sql`${number} between 1 and ${text(`${mostCharacters}`)}`;
      const found = of.splitPart(value, separator, clamped(number, 1));
      return sql`(case when ${length(separator)} > 0 then case when ${isThere} then ${found} when ${number} is not null and ${value} is not null then '' end end)`;
    },
  };
}
