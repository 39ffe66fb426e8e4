import type { Readable } from 'node:stream';
import { nestsDeeperThan } from '@trellis/sdk/shared';
import { addressErrors } from './address-errors.ts';

/** The deepest nesting of JSON that the rest of the product accepts. */
const deepest = 200;

/**
 * The content of a call: JSON and forms by their content type, everything else as a text. A JSON number that is too large for a
 * double becomes a text with all its digits.
 *
 * @throws TrellisError 400 `ADDRESS_BODY`
 */
export async function readBody(stream: Readable, contentType = ''): Promise<unknown> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part as Uint8Array);
  const text = decoded(Buffer.concat(parts));
  if (/^application\/(?:[\w.-]+\+)?json\b/i.test(contentType)) return parsed(text);
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType))
    return Object.fromEntries(new URLSearchParams(text));
  return text;
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw addressErrors.create('ADDRESS_BODY');
  }
}

/** Matches texts, with the colon after keys, and numbers. The text is valid JSON, so there is no backtracking. */
const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*/g;

function parsed(text: string): unknown {
  const value = valueOf(text);
  if (nestsDeeperThan(value, deepest)) throw addressErrors.create('ADDRESS_BODY');
  let keys = 0;
  let isExact = true;
  const exact = text.replaceAll(tokens, (token: string, colon: string | undefined) => {
    if (colon !== undefined) keys += 1;
    if (token.startsWith('"') || Math.abs(Number(token)) <= Number.MAX_SAFE_INTEGER) return token;
    isExact = false;
    return JSON.stringify(token);
  });
  // Readers would interpret a duplicate key differently.
  if (keys !== keysIn(value)) throw addressErrors.create('ADDRESS_BODY');
  return isExact ? value : valueOf(exact);
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw addressErrors.create('ADDRESS_BODY');
  }
}

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, child) => sum + keysIn(child), own);
}
