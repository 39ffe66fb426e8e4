import { defineWebColumnType, defineWebPlugin } from '@trellis/sdk/web';
import { barcode, geometry, qrCode, specificDBType } from '../shared/index.ts';
import { BarcodeCell, GeometryCell, QrCodeCell, SpecificCell } from './cells.tsx';
import './columns-special.css';

const types = [
  defineWebColumnType({ ...barcode, Cell: BarcodeCell, Editor: 'text', cellEdits: true }),
  defineWebColumnType({ ...qrCode, Cell: QrCodeCell, Editor: 'text', cellEdits: true }),
  defineWebColumnType({ ...geometry, Cell: GeometryCell, Editor: 'longText' }),
  defineWebColumnType({ ...specificDBType, Cell: SpecificCell, Editor: 'text' }),
];

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    for (const type of types) ctx.register('columnTypes', type);
  },
});
