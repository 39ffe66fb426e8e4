import { defineWebColumnType, defineWebPlugin } from '@trellis/sdk/web';
import { collaborator, createdBy, lastModifiedBy } from '../shared/index.ts';
import { PeopleCell } from './PeopleCell.tsx';
import { PeopleEditor } from './PeopleEditor.tsx';
import { PeopleFilter } from './PeopleFilter.tsx';
import { usePeopleNames } from './use-people.ts';
import './columns-people.css';

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register(
      'columnTypes',
      defineWebColumnType({
        ...collaborator,
        Cell: PeopleCell,
        useNames: usePeopleNames,
        Editor: PeopleEditor,
        FilterInput: PeopleFilter,
      }),
    );
    for (const type of [createdBy, lastModifiedBy])
      ctx.register(
        'columnTypes',
        defineWebColumnType({ ...type, Cell: PeopleCell, Editor: 'text', FilterInput: PeopleFilter }),
      );
  },
});
