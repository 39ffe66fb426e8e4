import type { TableEntity } from '../../shared/index.ts';

/**
 * The tables whose rows cells may be computed from: tables that a table links to, directly or indirectly, and junction tables.
 * @public
 */
export function linkedTables({
  id,
  columns = [],
  reached_tables: reached = [],
}: TableEntity): readonly string[] {
  const ids = columns.flatMap(({ virtual, colOptions }) => {
    if (virtual !== true || typeof colOptions !== 'object' || colOptions === null) return [];
    const { fk_related_model_id: related, fk_mm_model_id: junction } = colOptions as Readonly<
      Record<string, unknown>
    >;
    return [related, junction].filter((one) => typeof one === 'string');
  });
  return [...new Set([...ids, ...reached])].filter((one) => one !== id).toSorted();
}
