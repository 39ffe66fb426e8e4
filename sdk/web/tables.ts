import type { Page, TableEntity } from '../shared/index.ts';
import { useServerData, type ServerData } from './host.tsx';
import { objectsTag } from './objects-tag.ts';

/**
 * The tables of a project, without their columns and without those that only hold links. Read again when one of them comes, goes or is
 * called otherwise. Nothing is read where no project is meant.
 * @public
 */
export function useTables(projectId: string | undefined): ServerData<Page<TableEntity>> {
  return useServerData<Page<TableEntity>>(
    projectId === undefined
      ? undefined
      : { path: `/api/v1/db/meta/projects/${encodeURIComponent(projectId)}/tables` },
    { tags: [`tables:${projectId ?? ''}`] },
  );
}

/**
 * The names of the variables that templates of a project may name: none where no plugin brings any, or the person may not use them.
 * Undefined until they are known.
 * @public
 */
export function useVariableNames(projectId: string): readonly string[] | undefined {
  const { data, error } = useServerData<{ readonly list: readonly { readonly name: string }[] }>(
    { path: `/api/v1/db/meta/projects/${encodeURIComponent(projectId)}/variables` },
    { tags: [objectsTag('variables', projectId), 'plugins'] },
  );
  if (data === undefined && error !== undefined) return [];
  return data?.list.map(({ name }) => name);
}

/** A table with its columns, read again when it changes. Nothing is read where none is meant. @public */
export function useTable(tableId: string | undefined): ServerData<TableEntity> {
  return useServerData<TableEntity>(
    tableId === undefined || tableId === ''
      ? undefined
      : { path: `/api/v1/db/meta/tables/${encodeURIComponent(tableId)}` },
    { tags: [`table:${tableId ?? ''}`] },
  );
}
