import type { TextBlock } from './grid-clipboard.ts';
import type { GridColumn } from './grid-column.ts';
import type { GridContext } from './grid-context.ts';
import type { CellRange } from './grid-selection.ts';

/**
 * Lets the columns that a block goes to make room for its texts, as a list does for new options.
 *
 * @returns why a column does not take a text, in a sentence
 */
export async function adoptTexts(
  { columns, project, table, t }: GridContext,
  block: TextBlock,
  { left, right }: CellRange,
): Promise<(column: GridColumn, text: string) => string | undefined> {
  const width = Math.max(1, ...block.map((row) => row.length));
  const refused = new Map<string, ReadonlyMap<string, string>>();
  await Promise.all(
    columns.slice(left, right + 1).map(async ({ entity, type, whyReadOnly }, at) => {
      if (type?.adopt === undefined || whyReadOnly !== undefined) return;
      const texts = [...new Set(block.flatMap((row) => row[at % width] ?? []))].filter((text) => text !== '');
      refused.set(entity.id, await adopted(type.adopt(texts, { project, table, column: entity }), texts));
    }),
  );
  return ({ entity: { id, title } }, text) => {
    const problem = refused.get(id)?.get(text);
    return problem === undefined ? undefined : t('“{{title}}” {{problem}}.', { title, problem: t(problem) });
  };
}

async function adopted(
  adopting: Promise<ReadonlyMap<string, string>>,
  texts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  try {
    return await adopting;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return new Map(texts.map((text) => [text, reason]));
  }
}
