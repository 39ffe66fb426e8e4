import type { LinkOptions, WayOptions } from '../shared/index.ts';

/** The panel's texts for what a new column still lacks. */
const lacks = {
  table: { message: 'Choose the table to link to.' },
  link: { message: 'Choose the link that this goes over.' },
  figure: { message: 'Choose the summary.' },
  column: { message: 'Choose the column of the linked rows.' },
};

export function lackOfLink({ link }: LinkOptions): string | undefined {
  return link?.parentId === undefined || link.childId === undefined ? lacks.table.message : undefined;
}

export function lackOfCount({ relationColumnId = '' }: WayOptions): string | undefined {
  return relationColumnId === '' ? lacks.link.message : undefined;
}

export function lackOfLookup(options: WayOptions): string | undefined {
  const { columnId = '' } = options;
  return lackOfCount(options) ?? (columnId === '' ? lacks.column.message : undefined);
}

export function lackOfRollup(options: WayOptions): string | undefined {
  return (
    lackOfCount(options) ??
    (options.function === undefined ? lacks.figure.message : undefined) ??
    lackOfLookup(options)
  );
}
