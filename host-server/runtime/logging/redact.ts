/** Keys whose values never reach a log. */
const secretKey =
  /^(authorization|cookie|set-cookie|xc-auth|xc-token|x-api-key|proxy-authorization)$|pass(word|wd)?$|secret|token$|^pin$|private_?key|credential(?!id)/i;

/** Texts that are secrets wherever they stand: tokens, bearer headers, passwords in addresses. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '[token]'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [redacted]'],
  [/(\w+:\/\/[^\s:/@]*):[^\s@/]+@/g, '$1:[redacted]@'],
  [/([?&](?:token|key|secret|password|code)=)[^&\s"']+/gi, '$1[redacted]'],
  [/\b[0-9a-f]{30}\.[0-9a-f]{80}\b/g, '[refresh token]'],
];

const deepest = 6;

export function redactText(text: string): string {
  let clean = text;
  for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement);
  return clean;
}

/** A copy for the log: secrets out, errors as plain objects with their stack, nothing too deep. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return '[deep]';
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      secretKey.test(key) && item !== undefined ? '[redacted]' : redact(item, depth + 1),
    ]),
  );
}

function redactError(error: Error, depth: number): object {
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return {
    name,
    message: redactText(message),
    ...(code !== undefined && { code: redact(code, depth + 1) }),
    ...(stack !== undefined && { stack: redactText(stack) }),
    ...(cause !== undefined && { cause: redact(cause, depth + 1) }),
    ...(error instanceof AggregateError && { errors: error.errors.map((one) => redact(one, depth + 1)) }),
  };
}
