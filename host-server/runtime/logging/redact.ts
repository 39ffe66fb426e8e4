import type { KnownSecrets } from './known-secrets.ts';

/** Keys whose values never reach a log. */
const secretKey =
  /^(authorization|cookie|set-cookie|xc-auth|xc-token|x-api-key|proxy-authorization)$|pass(word|wd|phrase)?$|secret|token$|^pin$|(api|access|private|signing|encryption)[-_]?key$|credential(?!id)/i;

/** Texts that are secrets in any place: tokens, bearer headers, passwords in addresses. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '[token]'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [redacted]'],
  [/(\w+:\/\/[^\s:/@]*):[^\s@/]+@/g, '$1:[redacted]@'],
  [/([?&](?:token|key|secret|password|code)=)[^&\s"']+/gi, '$1[redacted]'],
  [/\b[0-9a-f]{30}\.[0-9a-f]{80}\b/g, '[refresh token]'],
];

const deepest = 6;

/** The secrets to mask in a line, besides those that names and patterns reveal. */
export interface RedactOptions {
  readonly secrets: KnownSecrets;
  /** The plugin that writes the line; fields that its settings mark as secret are masked. */
  readonly owner: string | undefined;
}

export function redactText(text: string, { secrets }: Pick<RedactOptions, 'secrets'>): string {
  let clean = secrets.maskIn(text);
  for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement);
  return clean;
}

/** A copy for the log: secrets out, errors as plain objects with their stack, nothing too deep. */
export function redact(value: unknown, options: RedactOptions, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value, options);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return '[deep]';
  if (value instanceof Error) return redactError(value, options, depth);
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => redact(item, options, depth + 1));
  const isSecret = (key: string) => secretKey.test(key) || options.secrets.isSecretField(options.owner, key);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      isSecret(key) && item !== undefined ? '[redacted]' : redact(item, options, depth + 1),
    ]),
  );
}

function redactError(error: Error, options: RedactOptions, depth: number): object {
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  const inside = (one: unknown) => redact(one, options, depth + 1);
  return {
    name,
    message: redactText(message, options),
    ...(code !== undefined && { code: inside(code) }),
    ...(stack !== undefined && { stack: redactText(stack, options) }),
    ...(cause !== undefined && { cause: inside(cause) }),
    ...(error instanceof AggregateError && { errors: error.errors.map(inside) }),
  };
}
