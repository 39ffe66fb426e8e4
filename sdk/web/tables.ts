import type { Page, TableEntity } from '../shared/index.ts';
import { useServerData, type ServerData } from './host.tsx';
import { objectsTag } from './objects-tag.ts';

/**
 * The tables of a project, without their columns and without junction tables. Reloaded when one is created, deleted or renamed.
 * Loads nothing without a project.
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
 * The names of the variables for templates of a project: none if no plugin provides any, or the person may not use them. Undefined
 * until they are loaded.
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

/** A table with its columns, reloaded when it changes. Loads nothing without an id. @public */
export function useTable(tableId: string | undefined): ServerData<TableEntity> {
  return useServerData<TableEntity>(
    tableId === undefined || tableId === ''
      ? undefined
      : { path: `/api/v1/db/meta/tables/${encodeURIComponent(tableId)}` },
    { tags: [`table:${tableId ?? ''}`] },
  );
}
