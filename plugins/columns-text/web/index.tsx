import { defineWebColumnType, defineWebPlugin } from '@trellis/sdk/web';
import { email, password, phoneNumber, url } from '../shared/index.ts';
import { EmailCell, PhoneCell, URLCell } from './LinkCell.tsx';
import { PasswordCell } from './PasswordCell.tsx';
import { PasswordEditor } from './PasswordEditor.tsx';
import './columns-text.css';

const types = [
  defineWebColumnType({ ...email, Cell: EmailCell, Editor: 'text', entry: 'email' }),
  defineWebColumnType({ ...url, Cell: URLCell, Editor: 'text', entry: 'url' }),
  defineWebColumnType({ ...phoneNumber, Cell: PhoneCell, Editor: 'text', entry: 'tel' }),
  defineWebColumnType({ ...password, Cell: PasswordCell, Editor: PasswordEditor, isCovered: true }),
];

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    for (const type of types) ctx.register('columnTypes', type);
  },
});
