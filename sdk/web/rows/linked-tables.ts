import type { TableEntity } from '../../shared/index.ts';

/** The tables that a table links to, and those that hold the links both ways: cells may be made of their rows. @public */
export function linkedTables({ id, columns = [] }: TableEntity): readonly string[] {
  const ids = columns.flatMap(({ virtual, colOptions }) => {
    if (virtual !== true || typeof colOptions !== 'object' || colOptions === null) return [];
    const { fk_related_model_id: related, fk_mm_model_id: junction } = colOptions as Readonly<
      Record<string, unknown>
    >;
    return [related, junction].filter((one) => typeof one === 'string');
  });
  return [...new Set(ids)].filter((one) => one !== id).toSorted();
}
