import { hasOwnColumn, isDated, type WebViewType } from '@trellis/sdk/web';

/** Offers a table without dates a date column. */
export const missingColumns: NonNullable<WebViewType['missingColumns']> = (table, { t, types }) => {
  const uidt = 'Date';
  if (!types.some(({ id }) => id === uidt) || hasOwnColumn(table, (column) => isDated(column, types)))
    return undefined;
  const title = t('Date');
  return {
    message: t(
      'A calendar needs a column of dates, and this table has none. The date “{{title}}” can be made with the view.',
      { title },
    ),
    columns: [{ title, uidt }],
  };
};
