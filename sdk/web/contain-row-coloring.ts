import type { RowColoring } from './extensions/index.ts';

/** The colouring as the page calls it: what it throws is told once, and costs no more than the colours. */
export function containRowColoring(
  coloring: RowColoring,
  tell: (where: string, error: unknown) => void,
): RowColoring {
  let isTold = false;
  function contained<Answer>(where: string, ask: () => Answer): Answer | undefined {
    try {
      return ask();
    } catch (error) {
      // It is asked for each row of a page that is being drawn, and whoever hears of it may draw anew.
      if (!isTold) queueMicrotask(() => tell(`${where}() of ${coloring.id}`, error));
      isTold = true;
      return undefined;
    }
  }
  return {
    ...coloring,
    of(context) {
      const colors = contained('of', () => coloring.of(context));
      return (
        colors && {
          columnIds: colors.columnIds,
          colorOf: (values) => contained('colorOf', () => colors.colorOf(values)),
        }
      );
    },
  };
}
