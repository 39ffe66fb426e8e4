/*
 * Converts values that drivers return from our own tables: flags may be numbers or texts, large numbers may be texts, JSON is text.
 * All such conversions are here; the models apply them to whole rows.
 */

export function flag(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 't';
}

/** Undefined if nothing is stored. @throws SyntaxError for text that is no JSON. */
export function json(value: unknown): unknown {
  return typeof value === 'string' && value !== '' ? JSON.parse(value) : undefined;
}

export { wireTime } from '@trellis/sdk/shared';
