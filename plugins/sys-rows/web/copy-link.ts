import type { CellAction } from '@trellis/sdk/web';
import { copyText } from '@trellis/sdk/web/ui';
import { linkToRow } from './row-link.ts';

/** The menu entry of a row and of its panel that copies the address which opens the row in its view. */
export const copyLink: CellAction = {
  id: 'rows.copy-link',
  label: 'Copy link',
  icon: 'link',
  order: 10,
  // Visitors of a shared view cannot open a row by an address.
  permission: 'dataRead',
  async run(context, { t, toast }) {
    const link = linkToRow(context);
    toast(
      (await copyText(link))
        ? { severity: 'success', summary: t('The link is copied.') }
        : { severity: 'info', summary: t('Copy this link:'), detail: link, life: 60_000 },
    );
  },
};
