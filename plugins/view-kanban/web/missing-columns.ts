import { hasOwnColumn, type WebViewType } from '@trellis/sdk/web';
import { stackingTypes } from '../shared/index.ts';

/** A table without a column to stack by is offered the one that most boards begin with. */
export const missingColumns: NonNullable<WebViewType['missingColumns']> = (table, { t, types }) => {
  const uidt = 'SingleSelect';
  const isKnown = types.some(({ id }) => id === uidt);
  if (!isKnown || hasOwnColumn(table, (of) => stackingTypes.includes(of))) return undefined;
  const [title, ...stacks] = [t('Status'), t('To do'), t('Doing'), t('Done')];
  return {
    message: t(
      'A kanban stacks its cards by a single select or by people, and this table has no such column. The single select “{{title}}” with {{options}} can be made with the view.',
      { title, options: stacks.join(', ') },
    ),
    columns: [{ title, uidt, colOptions: { options: stacks.map((stack) => ({ title: stack })) } }],
  };
};
