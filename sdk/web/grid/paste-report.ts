import { shownText } from './grid-column.ts';
import type { GridContext } from './grid-context.ts';
import type { GridNotice } from './grid-state.ts';
import type { PastePlan } from './paste-plan.ts';
import type { EditStep } from '../rows/index.ts';

/** The most cells that are listed; all of them are marked in the grid. */
const MOST_DETAILS = 100;

/** The parts of a paste that did not become values; undefined if all did. */
export function pasteReport(
  { t, columns, firstNumber, goesOn }: GridContext,
  plan: Pick<PastePlan, 'rejected' | 'columnsCut' | 'rowsCut' | 'readOnlyCells'>,
  step: EditStep,
): GridNotice | undefined {
  const parts: string[] = [];
  if (plan.rejected.length > 0)
    parts.push(
      t('{{count}} cells were not taken; they are marked and keep their text.', {
        count: plan.rejected.length,
        one: '{{count}} cell was not taken; it is marked and keeps its text.',
      }),
    );
  if (plan.columnsCut > 0)
    parts.push(
      t('{{count}} pasted columns had no place beyond the last column and were left out.', {
        count: plan.columnsCut,
        one: '{{count}} pasted column had no place beyond the last column and was left out.',
      }),
    );
  if (plan.rowsCut > 0)
    parts.push(
      goesOn
        ? t('{{count}} pasted rows had no place beyond the last row of this page and were left out.', {
            count: plan.rowsCut,
            one: '{{count}} pasted row had no place beyond the last row of this page and was left out.',
          })
        : t('{{count}} pasted rows had no place beyond the last row and were left out.', {
            count: plan.rowsCut,
            one: '{{count}} pasted row had no place beyond the last row and was left out.',
          }),
    );
  if (plan.readOnlyCells > 0)
    parts.push(
      t('{{count}} cells are read-only and were kept.', {
        count: plan.readOnlyCells,
        one: '{{count}} cell is read-only and was kept.',
      }),
    );
  if (parts.length === 0) return undefined;
  const byId = new Map(columns.map((column) => [column.entity.id, column]));
  const details = plan.rejected.slice(0, MOST_DETAILS).map(({ index, columnId, text, message }) => {
    const column = byId.get(columnId);
    return t('{{title}}, row {{n}}: “{{text}}”. {{message}}', {
      title: column?.entity.title ?? columnId,
      n: index + firstNumber,
      text: column === undefined ? text : shownText(text, column),
      message,
    });
  });
  return { text: parts.join(' '), details, step };
}
