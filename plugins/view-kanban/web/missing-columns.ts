import { hasOwnColumn, type WebViewType } from '@trellis/sdk/web';

/** Offers a table without a column to stack by the column that most boards begin with. */
export const missingColumns: NonNullable<WebViewType['missingColumns']> = (table, { t, types }) => {
  const uidt = 'SingleSelect';
  const typeOf = (of: string) => types.find(({ id }) => id === of);
  if (typeOf(uidt) === undefined || hasOwnColumn(table, (of) => typeOf(of.uidt)?.stacks !== undefined))
    return undefined;
  const [title, ...stacks] = [t('Status'), t('To do'), t('Doing'), t('Done')];
  return {
    message: t(
      'A kanban stacks its cards by a single select or by people, and this table has no such column. The single select “{{title}}” with {{options}} can be made with the view.',
      { title, options: stacks.join(', ') },
    ),
    columns: [{ title, uidt, colOptions: { options: stacks.map((stack) => ({ title: stack })) } }],
  };
};
