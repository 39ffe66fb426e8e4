import type { Readable } from 'node:stream';
import { nestsDeeperThan } from '@trellis/sdk/shared';
import { addressErrors } from './address-errors.ts';

/** As deep as JSON may nest that comes to the rest of the product. */
const deepest = 200;

/**
 * What was sent: JSON and forms as they say that they are, everything else as a text.
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

function parsed(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw addressErrors.create('ADDRESS_BODY');
  }
  if (nestsDeeperThan(value, deepest)) throw addressErrors.create('ADDRESS_BODY');
  return value;
}
