import type { KnownSecrets } from './known-secrets.ts';

/** Keys whose values never reach a log. */
const secretKey =
  /^(authorization|cookie|set-cookie|xc-auth|xc-token|x-api-key|proxy-authorization)$|pass(word|wd|phrase)?$|secret|token$|^pin$|(api|access|private|signing|encryption)[-_]?key$|credential(?!id)/i;

/**
 * Texts that are secrets in any place: tokens, bearer headers, passwords in addresses. Each must read a text without blanks in
 * one pass, since code may log whatever it was sent.
 */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]{8,2000}\.[\w-]{8,8000}\.[\w-]*/g, '[token]'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [redacted]'],
  [/\b(\w+:\/\/[^\s:/@]*):[^\s@/]+@/g, '$1:[redacted]@'],
  [/([?&](?:token|key|secret|password|code)=)[^&\s"']+/gi, '$1[redacted]'],
  [/\b[0-9a-f]{30}\.[0-9a-f]{80}\b/g, '[refresh token]'],
];

const deepest = 6;
const mostItems = 100;
/** The most values of one line: lists of lists may hold far more than they look like. */
const mostValues = 5000;
const longestText = 50_000;
/** More than any secret: one that stands where a text is cut would be masked by neither of its halves. */
const longestSecret = 5000;

/** The secrets to mask in a line, besides those that names and patterns reveal. */
export interface RedactOptions {
  readonly secrets: KnownSecrets;
  /** The plugin that writes the line; fields that its settings mark as secret are masked. */
  readonly owner: string | undefined;
}

/** A text for the log, cut where nobody reads on. */
export function redactText(text: string, { secrets }: Pick<RedactOptions, 'secrets'>): string {
  const isLong = text.length > longestText;
  let clean = secrets.maskIn(isLong ? text.slice(0, longestText) : text);
  for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement);
  return isLong ? `${clean.slice(0, -longestSecret)}… (${text.length} characters)` : clean;
}

/**
 * A copy for the log: secrets out, errors as plain objects with their stack, nothing too deep and nothing too much. What cannot be
 * read, because reading it throws, is left out.
 */
export function redact(value: unknown, options: RedactOptions): unknown {
  let values = 0;

  function copy(of: unknown, depth: number): unknown {
    try {
      return copied(of, depth);
    } catch {
      return '[unreadable]';
    }
  }

  function copied(of: unknown, depth: number): unknown {
    values += 1;
    if (values > mostValues) return '[more]';
    if (typeof of === 'string') return redactText(of, options);
    if (typeof of === 'bigint') return String(of);
    if (typeof of !== 'object' || of === null) return of;
    if (depth >= deepest) return '[deep]';
    const inside = (item: unknown) => copy(item, depth + 1);
    if (of instanceof Error) return copiedError(of, inside);
    if (Array.isArray(of)) return firstOf(of).map(inside);
    const isSecret = (key: string) =>
      secretKey.test(key) || options.secrets.isSecretField(options.owner, key);
    const record = of as Readonly<Record<string, unknown>>;
    return Object.fromEntries(
      firstOf(Object.keys(record)).map((key) => [
        key,
        isSecret(key) ? copyOfSecret(record, key) : copyOf(record, key, inside),
      ]),
    );
  }

  /** As many as the line still takes. */
  function firstOf<T>(items: readonly T[]): readonly T[] {
    return items.slice(0, Math.min(mostItems, mostValues - values + 1));
  }

  function copiedError(error: Error, inside: (item: unknown) => unknown): object {
    const part = (key: string) => copyOf(error as unknown as Record<string, unknown>, key, inside);
    const [code, stack, cause] = [part('code'), part('stack'), part('cause')];
    return {
      name: part('name'),
      message: part('message'),
      ...(code !== undefined && { code }),
      ...(stack !== undefined && { stack }),
      ...(cause !== undefined && { cause }),
      ...(error instanceof AggregateError && { errors: part('errors') }),
    };
  }

  return copy(value, 0);
}

/** A member of an object of which one may throw and the others not. */
function copyOf(
  record: Readonly<Record<string, unknown>>,
  key: string,
  inside: (item: unknown) => unknown,
): unknown {
  try {
    return inside(record[key]);
  } catch {
    return '[unreadable]';
  }
}

function copyOfSecret(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return copyOf(record, key, (item) => (item === undefined ? undefined : '[redacted]'));
}
