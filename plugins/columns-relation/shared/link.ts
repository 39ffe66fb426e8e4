import { defineColumnType, type CellValue } from '@trellis/sdk/shared';
import { textOf } from './values.ts';

/** Unchanged: cells of these types are never written, so there is nothing to check. */
export const asItComes = (input: unknown) => ({ ok: true, value: (input ?? null) as CellValue }) as const;

/** What a database does with rows when their linked row is deleted or gets another key. */
export const linkActions = ['no action', 'restrict', 'cascade', 'set null', 'set default'] as const;

export type LinkAction = (typeof linkActions)[number];

/** The options of a new link; the column stores none of them, since its link does. */
export type LinkOptions = {
  readonly link?: {
    readonly parentId?: string;
    readonly childId?: string;
    readonly type?: 'hm' | 'bt' | 'mm';
    readonly inverseTitle?: string;
    /** What happens to linked rows when the row that they point to is deleted; by default the deletion is refused. */
    readonly onDelete?: LinkAction;
    /** The same for a change of its key. */
    readonly onUpdate?: LinkAction;
    /** The default title of the column. */
    readonly title?: string;
  };
};

/** A link to rows of another table; its cells hold their keys and names. It is written through links, never as a cell. */
export const linkToAnotherRecord = defineColumnType<CellValue, LinkOptions>({
  id: 'LinkToAnotherRecord',
  label: 'Link to another table',
  description: 'Rows of another table, or of this one, that belong to the row.',
  icon: 'share-alt',
  storage: 'virtual',
  accepts: ['virtual'],
  fallback: 'SingleLineText',
  operators: [
    'linkedto',
    'notlinkedto',
    'eq',
    'neq',
    'like',
    'nlike',
    'empty',
    'notempty',
    'null',
    'notnull',
  ],
  order: 200,
  editable: false,
  options: {
    schema: { type: 'object', properties: { link: { type: 'object', additionalProperties: true } } },
    defaults: {},
  },
  parse: asItComes,
  format: textOf,
  examples: [],
  width: 220,
});
