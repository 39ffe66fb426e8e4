import { httpErrors } from './http-errors.ts';

const deepest = 200;

function refuse(problem: string): never {
  throw httpErrors.create('BODY_NOT_JSON', { problem });
}

interface Outline {
  /** Colons outside of texts: one for each key. */
  readonly keys: number;
}

/** Walks over the text once without building anything: refuses what is too deep before it is parsed. */
function outline(text: string): Outline {
  let depth = 0;
  let keys = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: // a text: skip to its closing quote
        at = endOfText(text, at);
        break;
      case 0x3a:
        keys += 1;
        break;
      case 0x5b:
      case 0x7b:
        depth += 1;
        if (depth > deepest) refuse(`it is nested deeper than ${deepest} levels`);
        break;
      case 0x5d:
      case 0x7d:
        depth -= 1;
        break;
    }
  }
  return { keys };
}

function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** Counts the keys of a parsed value and refuses those that reach for prototypes. */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) {
    let keys = 0;
    for (const item of value) keys += countKeys(item);
    return keys;
  }
  let keys = 0;
  for (const key of Object.keys(value)) {
    if (key === '__proto__') refuse("the key '__proto__' is not allowed");
    const child = (value as Record<string, unknown>)[key];
    if (
      key === 'constructor' &&
      typeof child === 'object' &&
      child !== null &&
      Object.hasOwn(child, 'prototype')
    )
      refuse("the key 'constructor.prototype' is not allowed");
    keys += 1 + countKeys(child);
  }
  return keys;
}

/**
 * Parses JSON from outside: at most 200 levels deep, no key twice, no key that reaches for a prototype.
 *
 * A key that stands twice would mean one thing to one reader and another to the next, so it is refused.
 *
 * @throws TrellisError 400 `BODY_NOT_JSON`.
 */
export function parseJson(input: string): unknown {
  const text = input.charCodeAt(0) === 0xfeff ? input.slice(1) : input;
  const { keys } = outline(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    refuse((error instanceof Error ? error.message : '').slice(0, 120));
  }
  if (countKeys(value) !== keys) refuse('a key stands twice in one object');
  return value;
}
