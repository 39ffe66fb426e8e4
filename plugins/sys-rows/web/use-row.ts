import type { CellValue, Row } from '@trellis/sdk/shared';
import { ApiError, useHost, useServerData } from '@trellis/sdk/web';
import { useEffect, useState } from 'react';
import type { RowRequest } from './panel-requests.ts';

export type Edits = Readonly<Record<string, CellValue>>;

/** Where the data API keeps this row. */
export function rowPath({ project, table, rowKey }: RowRequest): string {
  const parts = [project.id, table.id, rowKey].map(encodeURIComponent).join('/');
  return `/api/v1/db/data/noco/${parts}`;
}

/** One row with what was typed over it: edits are kept until they are saved or thrown away, whatever others write meanwhile. */
export function useRow(request: RowRequest) {
  const host = useHost();
  const { table, rowKey } = request;
  const tag = `row:${table.id}:${rowKey}`;
  const { data, error, isLoading } = useServerData<Row>({ path: rowPath(request) }, { tags: [tag] });
  const [edits, setEdits] = useState<Edits>({});
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);

  useEffect(() => {
    const room = host.live.subscribe({ tableId: table.id }, (event) => {
      const concerns = event.kind !== 'rows' || event.changes.some((change) => change.key === rowKey);
      if (concerns) host.invalidate([tag]);
    });
    return () => room.dispose();
  }, [host, table.id, rowKey, tag]);

  async function save(): Promise<boolean> {
    setSaving(true);
    setProblem(undefined);
    try {
      await host.api.request({ method: 'PATCH', path: rowPath(request), body: edits });
      setEdits({});
      host.invalidate([tag]);
      return true;
    } catch (failure) {
      setProblem(failure instanceof ApiError ? failure.message : host.t('Some internal error occurred'));
      return false;
    } finally {
      setSaving(false);
    }
  }

  return {
    row: data,
    error,
    isLoading,
    edits,
    isDirty: Object.keys(edits).length > 0,
    problem,
    isSaving,
    edit(title: string, value: CellValue) {
      setProblem(undefined);
      setEdits((before) => ({ ...before, [title]: value }));
    },
    discard: () => setEdits({}),
    save,
  };
}
