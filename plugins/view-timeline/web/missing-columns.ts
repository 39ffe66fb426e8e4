import { hasOwnColumn, isDated, type WebViewType } from '@trellis/sdk/web';

/** Offers a table without dates the columns for the start and end of its rows. */
export const missingColumns: NonNullable<WebViewType['missingColumns']> = (table, { t, types }) => {
  const uidt = 'Date';
  if (!types.some(({ id }) => id === uidt) || hasOwnColumn(table, (column) => isDated(column, types)))
    return undefined;
  const titles = { from: t('Start'), to: t('End') };
  return {
    message: t(
      'A timeline needs a column of dates, and this table has none. The dates “{{from}}” and “{{to}}” can be made with the view.',
      titles,
    ),
    columns: [titles.from, titles.to].map((title) => ({ title, uidt })),
  };
};
