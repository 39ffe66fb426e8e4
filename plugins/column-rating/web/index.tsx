// The web half adds what a person sees to the same pure definition: a cell, its editors and a panel for the options.
import { defineWebColumnType, defineWebPlugin } from '@trellis/sdk/web';
import { rating } from '../shared/index.ts';
import { RatingCell } from './RatingCell.tsx';
import { RatingEditor } from './RatingEditor.tsx';
import { RatingOptionsPanel } from './RatingOptionsPanel.tsx';
import './rating.css';

const ratingColumnType = defineWebColumnType({
  ...rating,
  Cell: RatingCell,
  // `text`: typing a number over the cell edits it in the grid's own text field. Clicks on the stars need no editor: the
  // cell writes by itself through `onChange`.
  Editor: 'text',
  // In forms and in the row panel there are no cells: the stars are chosen there by the pointer or the keys.
  FormEditor: RatingEditor,
  OptionsPanel: RatingOptionsPanel,
  align: 'start',
});

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    ctx.register('columnTypes', ratingColumnType);
  },
});
