// The Rating column, sentence by sentence: the tutorial for whoever writes a column type.
//
// This file is the pure part. Both halves import it, so the browser refuses exactly what the server refuses. It may import
// the SDK's shared entry and nothing that knows a server or a browser.
import { defineColumnType, type ParseResult } from '@trellis/sdk/shared';

// What a person can set for one column of this type. It is kept in the column's `meta`, under these keys.
export type RatingOptions = {
  /** How many symbols there are to fill. */
  readonly max: number;
  /** Which symbol: a key of `ratingIcons`. Other clients of the API keep the names of their own two pictures here. */
  readonly icon: string | { readonly full: string; readonly empty: string };
  /** The colour of a filled symbol, as `#rrggbb`. */
  readonly color: string;
};

// Names that the options panel offers, and the icon font's name for the filled and the empty symbol.
export const ratingIcons: Readonly<Record<string, { readonly full: string; readonly empty: string }>> = {
  star: { full: 'pi-star-fill', empty: 'pi-star' },
  heart: { full: 'pi-heart-fill', empty: 'pi-heart' },
  thumb: { full: 'pi-thumbs-up-fill', empty: 'pi-thumbs-up' },
  flag: { full: 'pi-flag-fill', empty: 'pi-flag' },
};

// The pictures of a column. Those of other clients are not known here, so that such columns get stars.
export function ratingSymbols(icon: RatingOptions['icon']): {
  readonly full: string;
  readonly empty: string;
} {
  const known = typeof icon === 'string' ? ratingIcons[icon] : undefined;
  return known ?? { full: 'pi-star-fill', empty: 'pi-star' };
}

// Columns without options of their own look like this.
export const defaultRatingOptions: RatingOptions = { max: 5, icon: 'star', color: '#fcb401' };

// Reads what a client sent or a person pasted: 4, "4", "4/5" or "★★★★". It never throws: a refusal says what is wrong, as
// the end of a sentence that begins with the column's title. The text is the key of its translations, so the number in it
// stands beside it.
function parse(input: unknown, max: number): ParseResult<number> {
  if (input === null || input === undefined || input === '') return { ok: true, value: null };
  const value = typeof input === 'string' ? readText(input.trim()) : input;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > max) {
    return { ok: false, message: 'must be a whole number from 0 to {{max}}', params: { max } };
  }
  // No star at all is an empty cell: there is no way to see the difference, so there is none.
  return { ok: true, value: value === 0 ? null : value };
}

function readText(text: string): number | undefined {
  if (/^★+☆*$/u.test(text)) return text.split('★').length - 1;
  const match = /^(\d{1,2})(?:\.0+)?(?:\s*\/\s*\d{1,2})?$/.exec(text);
  return match ? Number(match[1]) : undefined;
}

export const rating = defineColumnType<number, RatingOptions>({
  // The id is stored with every column of this type, so it never changes. It is also the `uidt` of the API.
  id: 'Rating',
  label: 'Rating',
  description: 'Stars to compare things by.',
  icon: 'star',
  // What the database keeps: a plain whole number. That is why values outlive this plugin.
  storage: 'integer',
  // On a database that already exists, the type may be put on any of these.
  accepts: ['integer', 'bigint', 'float', 'decimal'],
  // When the plugin is uninstalled for good, its columns become this type.
  fallback: 'Number',
  // Numbers of other types become stars by their values, whatever their columns write beside them.
  holds: 'number',
  // What the filter panel offers. Operators are plugins too; these come from `filters-basic`.
  operators: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'btw', 'null', 'notnull'],
  order: 100,
  width: 140,
  // The options' schema is data: forms, validation and documentation are made of it.
  options: {
    schema: {
      type: 'object',
      properties: {
        max: { type: 'integer', title: 'Number of symbols', minimum: 1, maximum: 10, default: 5 },
        icon: {
          title: 'Symbol',
          default: 'star',
          anyOf: [
            { type: 'string', enum: Object.keys(ratingIcons) },
            {
              type: 'object',
              required: ['full', 'empty'],
              properties: {
                full: { type: 'string', maxLength: 60 },
                empty: { type: 'string', maxLength: 60 },
              },
            },
          ],
        },
        color: { type: 'string', title: 'Colour', pattern: '^#[0-9a-fA-F]{6}$', default: '#fcb401' },
      },
    },
    defaults: defaultRatingOptions,
  },
  parse: (input, column) => parse(input, column.options.max),
  // Text for people, for copying and for CSV. `parse(format(v))` must give `v` back.
  format: (value) => (value === null ? '' : String(value)),
  // The conformance suite stores each `input` on every database and expects `value` back.
  examples: [
    { input: 4, value: 4 },
    { input: '3', value: 3 },
    { input: '2/5', value: 2 },
    { input: '★★★★★', value: 5 },
    { input: 0, value: null },
    { input: '', value: null },
    { input: null, value: null },
  ],
  // And it expects each of these to be refused, on every way in.
  invalid: [6, -1, 2.5, 'good', true, [1], { stars: 3 }],
});
