import type { TableEntity } from '@trellis/sdk/shared';
import { ApiError, messageOfError, useHost, type EditorProps } from '@trellis/sdk/web';
import { useState } from 'react';
import { optionOf, withOption, type SelectOption, type SelectOptions } from '../shared/index.ts';

/** Makes options of the column that an editor stands at. */
export function useAddOption({ column }: EditorProps<string, SelectOptions>) {
  const host = useHost();
  const [made, setMade] = useState<SelectOptions>();
  const [name, setName] = useState<string>();

  /** The column as it is now: others may have added options since the page read it. */
  async function read() {
    const path = `/api/v1/db/meta/tables/${encodeURIComponent(column.fk_model_id)}`;
    const table = await host.api.request<TableEntity>({ path });
    return table.columns?.find((of) => of.id === column.id) ?? column;
  }

  /** The option; made where nobody has made it yet. */
  async function make(title: string): Promise<SelectOption | undefined> {
    try {
      return await makeOrFind(title);
    } catch (error) {
      // Somebody else may have made the same one since the column was read.
      if (!(error instanceof ApiError) || error.code !== 'COLUMN_SETTING') throw error;
      const { options = [] } = ((await read()).meta ?? {}) as Partial<SelectOptions>;
      const known = optionOf({ options }, title);
      if (known === undefined) throw error;
      setMade({ options });
      return known;
    }
  }

  async function makeOrFind(title: string): Promise<SelectOption | undefined> {
    const now = await read();
    const { options = [] } = (now.meta ?? {}) as Partial<SelectOptions>;
    const known = optionOf({ options }, title);
    const next =
      known === undefined ? withOption({ options }, title, `sl_${crypto.randomUUID()}`) : { options };
    if (known === undefined) {
      await host.api.request({
        method: 'PATCH',
        path: `/api/v1/db/meta/columns/${encodeURIComponent(column.id)}`,
        body: {
          title: now.title,
          uidt: now.uidt,
          meta: { ...now.meta, ...next },
          meta_before: now.meta ?? {},
        },
      });
    }
    host.invalidate([`table:${column.fk_model_id}`]);
    setMade(next);
    return known ?? next.options.at(-1);
  }

  return {
    /** The options since one was added. */
    made,
    /** What is being added. */
    name,
    /** Undefined when it was refused, which is told. */
    async add(title: string): Promise<SelectOption | undefined> {
      setName(title);
      try {
        return await make(title);
      } catch (error) {
        host.toast({ severity: 'error', summary: messageOfError(error, host.t) });
        return undefined;
      } finally {
        setName(undefined);
      }
    },
  };
}
