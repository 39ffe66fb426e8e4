import { applyDefaults } from '@trellis/core';
import { useCallback, useMemo } from 'react';
import type { ColumnEntity, SettingsSchema, ViewColumnEntity, ViewEntity } from '../../shared/index.ts';
import type { ApiError } from '../api.ts';
import { useHost, useRegistryItem } from '../host.tsx';
import type { ViewProps } from '../extensions/index.ts';
import { useViewPlaces } from '../visited-view.ts';

type Options = Readonly<Record<string, unknown>>;

/** A column of the table with its place in a view. @public */
export interface ViewColumn {
  readonly column: ColumnEntity;
  readonly inView: ViewColumnEntity;
  /** The view's options for the column, with defaults of the view's type. */
  readonly options: Options;
}

/** The columns of a view. @public */
export interface ViewColumns {
  /** In the view's order, including hidden ones; undefined until they are loaded. */
  readonly columns: readonly ViewColumn[] | undefined;
  readonly error: ApiError | undefined;
  refetch(this: void): void;
  /**
   * Saves the view's options for a column, completely, based on `column`: changes by others since are kept. Throws `ApiError` if
   * the view's type refuses it, and 409 `OPTIONS_CHANGED` if others changed the same option.
   */
  setOptions(this: void, column: ViewColumn, options: Options): Promise<void>;
}

function filled(schema: SettingsSchema | undefined, meta: Options | null): Options {
  return (schema === undefined ? meta : (applyDefaults(schema, meta ?? {}) as Options)) ?? {};
}

/** The options of a view, with defaults of its type. @public */
export function useViewOptions(view: ViewEntity): Options {
  const type = useRegistryItem('viewTypes', view.view_type);
  return useMemo(() => filled(type?.options, view.meta), [type, view.meta]);
}

/** The columns of a view with its options for them; renders again when anybody changes it. @public */
export function useViewColumns({ table, view }: Pick<ViewProps, 'table' | 'view'>): ViewColumns {
  const { api, invalidate } = useHost();
  const type = useRegistryItem('viewTypes', view.view_type);
  const path = `/api/v1/db/meta/views/${encodeURIComponent(view.id)}/columns`;
  const { data, error, refetch } = useViewPlaces(view);
  const columns = useMemo(() => {
    const byId = new Map(table.columns?.map((column) => [column.id, column]));
    return data
      ?.toSorted((a, b) => a.order - b.order)
      .flatMap((inView): readonly ViewColumn[] => {
        const column = byId.get(inView.fk_column_id);
        return column ? [{ column, inView, options: filled(type?.columnOptions, inView.meta) }] : [];
      });
  }, [table.columns, data, type]);
  const setOptions = useCallback(
    async ({ inView, options: before }: ViewColumn, options: Options) => {
      try {
        await api.request({
          method: 'PATCH',
          path: `${path}/${encodeURIComponent(inView.id)}`,
          body: { meta: options, meta_before: before },
        });
      } finally {
        invalidate([`view:${view.id}`]);
      }
    },
    [api, invalidate, path, view.id],
  );
  return { columns, error, refetch, setOptions };
}
