import { inParts } from '../../sql/in-parts.ts';
import { sql, text, type SqlFragment } from '../../sql/fragment.ts';

/**
 * The SQL of taking texts apart and putting them together. Characters are counted, not bytes; what is null gives null. Counts
 * are whole numbers of any size.
 */
export interface TextSql {
  /** Without the blanks at both ends. */
  trim(value: SqlFragment): SqlFragment;
  left(value: SqlFragment, count: SqlFragment): SqlFragment;
  right(value: SqlFragment, count: SqlFragment): SqlFragment;
  /** `start` counts from 1; to the end without `count`. */
  part(value: SqlFragment, start: SqlFragment, count?: SqlFragment): SqlFragment;
  /** Joins texts, and cuts the result off at `longestText`; null parts count as empty text. */
  concat(parts: readonly SqlFragment[]): SqlFragment;
  /** An aggregate: the texts of rows one behind another, in the order of these terms. Null without rows. */
  join(value: SqlFragment, orderBy: readonly SqlFragment[]): SqlFragment;
  /** Every place of `search`; an empty one is nowhere. Null where the result could be longer than `longestText`. */
  replace(value: SqlFragment, search: SqlFragment, replacement: SqlFragment): SqlFragment;
  /** Where `search` begins, from 1, with regard to case; 0 where it is not. */
  position(value: SqlFragment, search: SqlFragment): SqlFragment;
  /** Null where the result is longer than `longestMade`. */
  repeat(value: SqlFragment, count: SqlFragment): SqlFragment;
  /** Fills up to a length, `longestMade` at most; longer texts stay as they are. */
  pad(side: 'left' | 'right', value: SqlFragment, length: SqlFragment, fill: SqlFragment): SqlFragment;
  /** The part before, between or behind separators, from 1; empty where there are fewer, null for an empty separator. */
  splitPart(value: SqlFragment, separator: SqlFragment, number: SqlFragment): SqlFragment;
  /**
   * A part of an address of the web (RFC 3986): letters, digits and `-._~` stay, all else becomes `%` and the bytes of its UTF-8 in
   * capital hex digits. Null for texts longer than `longestMade`.
   */
  encodeUrl(value: SqlFragment): SqlFragment;
  /**
   * Whether the text has the shape of an e-mail address: a name, one `@` and a domain with a dot, of 254 characters at most, without
   * blanks, commas, colons, brackets and quotes.
   */
  isEmail(value: SqlFragment): SqlFragment;
  /**
   * Whether the pattern is found. Patterns are those of a language that every database reads alike, and in which a text is found in
   * one way alone: whoever calls has checked that. Null for texts longer than `longestSearched`.
   */
  matches(value: SqlFragment, pattern: string): SqlFragment;
  /** What the pattern finds first; null where it finds nothing. */
  matchedPart(value: SqlFragment, pattern: string): SqlFragment;
  /** With the replacement, as it is, for all that the pattern finds. Bounded as `replace` is. */
  replaceMatches(value: SqlFragment, pattern: string, replacement: SqlFragment): SqlFragment;
  /** A capital at the beginning of each word, small letters behind; blanks stand between words. Null for more than `longestMade`. */
  proper(value: SqlFragment): SqlFragment;
}

/** Characters of a text that is made out of nothing: no row takes memory from everybody. */
const longestMade = 10_000;
/** Characters of a text in which patterns are looked for: each place of it may cost the rest of it. */
const longestSearched = 2000;
/** Characters of a text that is made of others. It is the most that is written to a cell, too. */
export const longestText = 1_000_000;
/** How many texts are joined at once: as many of the longest ones as MariaDB gives out by default, 16 MB. */
const mostJoined = 4;
/** More than any count of characters means. */
const mostCharacters = 10_000_000;

/** A count between two bounds; null stays null. */
export type Clamp = (value: SqlFragment, low: number, high?: number) => SqlFragment;

export function clampBy(
  make: (value: SqlFragment, low: SqlFragment, high: SqlFragment) => SqlFragment,
): Clamp {
  return (value, low, high = mostCharacters) => make(value, text(`${low}`), text(`${high}`));
}

/** What the databases' own functions are given, made of what they share. */
interface TextParts {
  readonly clamped: Clamp;
  readonly length: (value: SqlFragment) => SqlFragment;
  readonly concat: (parts: readonly SqlFragment[]) => SqlFragment;
  /** So many of the first characters. */
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
  /** Whether the value, with a bar behind it, matches `emailPattern`. */
  readonly matchesEmail: (value: SqlFragment) => SqlFragment;
}

const strange = ' \t\n\r,;:<>()"@';
/**
 * Ends in a bar of ours, because the sign for the end of a text also stands for a line end before it in some languages of patterns.
 * No end of it can be reached in two ways, so that long texts cost their length.
 */
export const emailPattern = `^[^${strange}]{1,64}@[^${strange}.|]+([.][^${strange}.|]+)+[|]$`;

/** The functions that need guards, with the same ones on every database. */
export function guardedTexts(
  of: TextParts,
): Omit<TextSql, 'trim' | 'left' | 'right' | 'part' | 'join' | 'position'> {
  const { length, clamped } = of;
  /** Groups are cut off before they are joined. A part stands in the SQL once: within others, twice would be a power of two. */
  const concat: TextSql['concat'] = (parts) => {
    const groups = inParts(parts, mostJoined).map((group) =>
      of.start(of.concat(group), text(`${longestText}`)),
    );
    const [first = text("''")] = groups;
    return groups.length <= 1 ? first : concat(groups);
  };
  /** Null where there are more characters. */
  const upTo = (most: number, value: SqlFragment): SqlFragment =>
    sql`(case when ${length(value)} <= ${text(`${most}`)} then ${value} end)`;
  /** Null where the replacement at each place could make too much of it. */
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
