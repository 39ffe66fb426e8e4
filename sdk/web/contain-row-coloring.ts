import type { RowColoring } from './extensions/index.ts';

/** The colouring as the page calls it: an error of it is reported once, and affects only the colours. */
export function containRowColoring(
  coloring: RowColoring,
  tell: (where: string, error: unknown) => void,
): RowColoring {
  let isTold = false;
  function contained<Answer>(where: string, ask: () => Answer): Answer | undefined {
    try {
      return ask();
    } catch (error) {
      // This may run during rendering, and the receiver of the report may render again.
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
