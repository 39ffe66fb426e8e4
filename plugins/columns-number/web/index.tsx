import { defineWebColumnType, defineWebPlugin, editNumber, plainNumber, showPercent } from '@trellis/sdk/web';
import { pageLanguage } from '@trellis/sdk/web/ui';
import { autoNumber, currency, duration, percent, readMoney, readPercent } from '../shared/index.ts';
import { AutoNumberCell, CurrencyCell, DurationCell, PercentCell, showMoney } from './cells.tsx';
import { CurrencyOptionsPanel } from './CurrencyOptionsPanel.tsx';
import { inPage, moneyOfPage } from './money-of-page.ts';
import './columns-number.css';

/** The decimal separator of the page's language. */
function pointOfPage(): string | undefined {
  const parts = new Intl.NumberFormat(pageLanguage()).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value;
}

const types = [
  defineWebColumnType({ ...autoNumber, Cell: AutoNumberCell, Editor: 'text', align: 'end' }),
  defineWebColumnType({
    ...currency,
    local: {
      show: showMoney,
      edit: showMoney,
      read: (text, { options }) => readMoney(text, inPage(options)),
    },
    Cell: CurrencyCell,
    Editor: 'text',
    OptionsPanel: CurrencyOptionsPanel,
    newOptions: moneyOfPage,
    align: 'end',
  }),
  defineWebColumnType({
    ...percent,
    parse: (input, column) => readPercent(input, pointOfPage(), column),
    local: {
      show: showPercent,
      edit: (value) => (value === null ? '' : `${editNumber(value)}%`),
      // The sign is before or after the number, or missing.
      read: (text) => readPercent(plainNumber(text.trim().replace(/^%\s?|(?<=\d)\s?%$/, ''))),
    },
    Cell: PercentCell,
    Editor: 'text',
    align: 'end',
  }),
  defineWebColumnType({ ...duration, Cell: DurationCell, Editor: 'text', align: 'end' }),
];

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    for (const type of types) ctx.register('columnTypes', type);
  },
});
