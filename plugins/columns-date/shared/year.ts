import { orderOperators } from '#plugins/columns-basic/shared';
import { defineColumnType, type ParseResult } from '@trellis/sdk/shared';

const refused: ParseResult<number> = { ok: false, message: 'must be a year from 1 to 9999' };

/** A year, or the year of a pasted date in ISO form. */
function parse(input: unknown): ParseResult<number> {
  if (input === null || input === undefined || input === '') return { ok: true, value: null };
  const text = typeof input === 'number' ? String(input) : typeof input === 'string' ? input.trim() : '';
  const match = text.length > 80 ? null : /^(\d{1,4})(?:-\d{2}-\d{2}(?:[T\s].*)?)?$/.exec(text);
  const value = Number(match?.[1] ?? 0);
  return value >= 1 ? { ok: true, value } : refused;
}

/** A single number may be anything. */
const fewestSamples = 3;
/** Other four-digit numbers are just as likely to be quantities. */
const isOfOurTime = (text: string) => /^(?:19|20)\d\d$/.test(text.trim());

/** A calendar year, stored as a whole number. */
export const year = defineColumnType<number>({
  id: 'Year',
  label: 'Year',
  description: 'A year of the calendar.',
  icon: 'calendar',
  storage: 'integer',
  accepts: ['integer', 'bigint'],
  fallback: 'Number',
  holds: 'time',
  operators: orderOperators,
  order: 64,
  parse,
  format: (value) => (value === null ? '' : String(value)),
  guess: (samples) => (samples.length >= fewestSamples && samples.every(isOfOurTime) ? 0.92 : 0),
  examples: [
    { input: 2026, value: 2026 },
    { input: '1848', value: 1848 },
    { input: '2026-03-29', value: 2026 },
    { input: '', value: null },
    { input: null, value: null },
  ],
  invalid: ['last year', 0, 10_000, -44, 2026.5, { a: 1 }],
  width: 90,
});
