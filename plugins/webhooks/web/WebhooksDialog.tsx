import type { TableEntity } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';
import { Dialog, useThrowAway } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { HookEntity } from '../shared/index.ts';
import { HookEditor } from './HookEditor.tsx';
import { HookList } from './HookList.tsx';
import { HookLog } from './HookLog.tsx';

/** The dialog's content. */
type Screen =
  | { readonly kind: 'list' }
  | { readonly kind: 'editor'; readonly hook: HookEntity | undefined }
  | { readonly kind: 'log'; readonly hook: HookEntity };

interface WebhooksDialogProps {
  readonly table: TableEntity;
  /** The id of the webhook that the address names. */
  readonly named?: string;
  readonly onClose: () => void;
}

/** A table's webhooks: the list, one webhook, or its log. */
export default function WebhooksDialog({ table, named, onClose }: WebhooksDialogProps) {
  const t = useT();
  const [screen, setScreen] = useState<Screen>({ kind: 'list' });
  /** The focused webhook of the list: the one that the address names, later the last one that was opened. */
  const [pointedAt, pointAt] = useState(named);
  const [isUnsaved, setUnsaved] = useState(false);
  const throwsAway = useThrowAway();
  const toList = () => {
    setUnsaved(false);
    setScreen({ kind: 'list' });
  };
  /** Returns from the editor, if the entries may be discarded. */
  async function back() {
    if (!isUnsaved || (await throwsAway())) toList();
  }
  const titles = {
    list: t('Webhooks of {{table}}', { table: table.title }),
    editor: screen.kind === 'editor' && screen.hook ? t('Change the webhook') : t('New webhook'),
    log: t('Log of {{webhook}}', { webhook: screen.kind === 'log' ? screen.hook.title : '' }),
  };
  return (
    <Dialog
      title={titles[screen.kind]}
      width={860}
      className="webhooks-dialog"
      isUnsaved={isUnsaved}
      onClose={onClose}
    >
      {screen.kind === 'list' && (
        <HookList
          table={table}
          named={pointedAt}
          onEdit={(hook) => {
            pointAt(hook?.id);
            setScreen({ kind: 'editor', hook });
          }}
          onLog={(hook) => {
            pointAt(hook.id);
            setScreen({ kind: 'log', hook });
          }}
        />
      )}
      {screen.kind === 'editor' && (
        <HookEditor
          table={table}
          hook={screen.hook}
          onChange={() => setUnsaved(true)}
          onBack={() => void back()}
          onDone={toList}
        />
      )}
      {screen.kind === 'log' && <HookLog hook={screen.hook} onBack={toList} />}
    </Dialog>
  );
}
