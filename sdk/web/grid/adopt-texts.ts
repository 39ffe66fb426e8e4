import type { AdoptedTexts } from '../extensions/column-types.ts';
import type { StepPreparation } from '../rows/index.ts';
import { together } from '../rows/step-preparation.ts';
import type { TextBlock } from './grid-clipboard.ts';
import type { GridColumn } from './grid-column.ts';
import type { GridContext } from './grid-context.ts';
import type { CellRange } from './grid-selection.ts';

/** The result of adapting columns to the texts of a block. */
interface AdoptedBlock {
  /** Why a column refuses a text, as a sentence. */
  readonly whyRefused: (column: GridColumn, text: string) => string | undefined;
  /** Their changes; undefined for none. */
  readonly made: StepPreparation | undefined;
}

/** Lets the target columns of a block adapt to its texts, as a select column adds options. */
export async function adoptTexts(
  { columns, project, table, t }: GridContext,
  block: TextBlock,
  { left, right }: CellRange,
): Promise<AdoptedBlock> {
  const width = Math.max(1, ...block.map((row) => row.length));
  const refused = new Map<string, ReadonlyMap<string, string>>();
  const made: StepPreparation[] = [];
  await Promise.all(
    columns.slice(left, right + 1).map(async ({ entity, type, whyReadOnly }, at) => {
      if (type?.adopt === undefined || whyReadOnly !== undefined) return;
      const texts = [...new Set(block.flatMap((row) => row[at % width] ?? []))].filter((text) => text !== '');
      const taken = await adopted(type.adopt(texts, { project, table, column: entity }), texts);
      refused.set(entity.id, taken.refused);
      if (taken.made !== undefined) made.push(taken.made);
    }),
  );
  return {
    whyRefused({ entity: { id, title } }, text) {
      const problem = refused.get(id)?.get(text);
      return problem === undefined
        ? undefined
        : t('“{{title}}” {{problem}}.', { title, problem: t(problem) });
    },
    made: together(made),
  };
}

async function adopted(adopting: Promise<AdoptedTexts>, texts: readonly string[]): Promise<AdoptedTexts> {
  try {
    return await adopting;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { refused: new Map(texts.map((text) => [text, reason])) };
  }
}
