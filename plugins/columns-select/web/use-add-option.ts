import type { TableEntity } from '@trellis/sdk/shared';
import { messageOfError, useHost, type EditorProps } from '@trellis/sdk/web';
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

  async function make(title: string): Promise<SelectOption | undefined> {
    const now = await read();
    const { options = [] } = (now.meta ?? {}) as Partial<SelectOptions>;
    const known = optionOf({ options }, title);
    const next =
      known === undefined ? withOption({ options }, title, `sl_${crypto.randomUUID()}`) : { options };
    if (known === undefined) {
      await host.api.request({
        method: 'PATCH',
        path: `/api/v1/db/meta/columns/${encodeURIComponent(column.id)}`,
        body: { title: now.title, uidt: now.uidt, meta: { ...now.meta, ...next } },
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
