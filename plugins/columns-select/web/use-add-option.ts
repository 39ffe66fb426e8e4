import { withOption, type SelectOption, type SelectOptions } from '@trellis/sdk/shared';
import { ApiError, messageOfError, randomKey, useHost, type EditorProps } from '@trellis/sdk/web';
import { useState } from 'react';
import { optionOf } from '../shared/index.ts';
import { changeOptions } from './change-options.ts';

/** Adds options to the column of an editor. */
export function useAddOption({ column }: EditorProps<string, SelectOptions>) {
  const host = useHost();
  const [made, setMade] = useState<SelectOptions>();
  const [name, setName] = useState<string>();

  /** The option; added if it does not exist yet. */
  async function make(title: string): Promise<SelectOption | undefined> {
    try {
      return await makeOrFind(title);
    } catch (error) {
      // Somebody else may have added the same option since the column was read.
      if (!(error instanceof ApiError) || error.code !== 'COLUMN_SETTING') throw error;
      const now = await changeOptions(host.api, column, (before) => before);
      const known = optionOf(now, title);
      if (known === undefined) throw error;
      setMade(now);
      return known;
    }
  }

  async function makeOrFind(title: string): Promise<SelectOption | undefined> {
    const now = await changeOptions(host.api, column, (before) =>
      optionOf(before, title) === undefined ? withOption(before, title, `sl_${randomKey()}`) : before,
    );
    host.invalidate([`table:${column.fk_model_id}`]);
    setMade(now);
    return optionOf(now, title);
  }

  return {
    /** The options after one was added. */
    made,
    /** The name that is being added. */
    name,
    /** Undefined if it was refused, which is reported. */
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
