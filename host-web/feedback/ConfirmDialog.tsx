import { useT } from '@trellis/sdk/web';
import { Dialog, Form, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { PendingQuestion } from './confirm-center.ts';

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({ pending }: { readonly pending: PendingQuestion }) {
  const t = useT();
  const [typed, setTyped] = useState('');
  const {
    title,
    message,
    confirmLabel,
    cancelLabel,
    danger,
    isExpected = false,
    typeToConfirm,
  } = pending.question;
  const refuse = () => pending.answer(false);
  return (
    <Dialog title={title} width={440} onClose={refuse}>
      <Form
        submitLabel={confirmLabel}
        danger={danger}
        beginsAtSubmit={isExpected}
        isBusy={false}
        canSubmit={typeToConfirm === undefined || typed === typeToConfirm}
        onSubmit={() => pending.answer(true)}
        cancelLabel={cancelLabel}
        onCancel={refuse}
      >
        <div className="tr-confirm-message">{message}</div>
        {typeToConfirm !== undefined && (
          <TextField
            label={t('Type {{text}} to confirm', { text: typeToConfirm })}
            value={typed}
            autoFocus
            onChange={setTyped}
          />
        )}
      </Form>
    </Dialog>
  );
}
