import { useHost, useSession } from '@trellis/sdk/web';
import type { UnsavedCell } from '@trellis/sdk/web/grid';
import { copyText } from '@trellis/sdk/web/ui';

/** Further cells are only counted. */
const mostListed = 8;

/** Shows unsaved entries whose grid has disappeared, and offers to copy them. */
export function useUnsavedCells(): (cells: readonly UnsavedCell[]) => void {
  const host = useHost();
  const userId = useSession().user?.id;
  const { t } = host;

  const show = async (cells: readonly UnsavedCell[]): Promise<void> => {
    // Nobody may see another person's entries.
    if (host.session.user?.id !== userId) return;
    const listed = cells.slice(0, mostListed);
    const more = cells.length - listed.length;
    const copies = await host.confirm({
      title: t('{{count}} cells were not saved', {
        count: cells.length,
        one: 'What you entered was not saved',
      }),
      message: (
        <>
          <ul className="gridview-unsaved">
            {listed.map(({ title, text, message }, at) => (
              <li key={at}>
                <strong>{text}</strong>
                <span>{t('{{column}}: {{reason}}', { column: title, reason: message })}</span>
              </li>
            ))}
          </ul>
          {more > 0 && t('and {{n}} more', { n: more })}
        </>
      ),
      confirmLabel: t('Copy'),
      cancelLabel: t('Close'),
    });
    if (!copies) return;
    const text = cells.map((cell) => cell.text).join('\n');
    host.toast(
      (await copyText(text))
        ? { severity: 'success', summary: t('Copied.') }
        : { severity: 'info', summary: t('Copy this text:'), detail: text, life: 60_000 },
    );
  };
  return (cells) => void show(cells);
}
