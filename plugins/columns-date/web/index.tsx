import { momentOptionsForm } from '#plugins/columns-basic/shared';
import { defineWebColumnType, defineWebPlugin } from '@trellis/sdk/web';
import { createTime, lastModifiedTime, time, year } from '../shared/index.ts';
import { StampCell, TimeCell, TimeEditor, YearCell } from './cells.tsx';

const stamp = { options: momentOptionsForm(), Cell: StampCell, Editor: 'text' } as const;

const types = [
  defineWebColumnType({ ...time, Cell: TimeCell, Editor: TimeEditor }),
  defineWebColumnType({ ...year, Cell: YearCell, Editor: 'text', align: 'end' }),
  defineWebColumnType({ ...createTime, ...stamp }),
  defineWebColumnType({ ...lastModifiedTime, ...stamp }),
];

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    for (const type of types) ctx.register('columnTypes', type);
  },
});
