import { useT } from '@trellis/sdk/web';
import { Dialog, Form, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { PendingQuestion } from './confirm-center.ts';

/** Asks before an action that cannot be undone. */
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
    instead,
  } = pending.question;
  const refuse = () => pending.answer(false);
  return (
    <Dialog title={title} width={440} onClose={refuse}>
      <Form
        submitLabel={instead?.label ?? confirmLabel}
        danger={instead === undefined && danger}
        beginsAtSubmit={isExpected || instead !== undefined}
        isBusy={false}
        canSubmit={typeToConfirm === undefined || typed === typeToConfirm}
        onSubmit={() => pending.answer(instead === undefined ? true : instead.run())}
        aside={
          instead && (
            <button
              type="button"
              className={`tr-button ${danger === true ? 'tr-button--danger' : ''}`}
              onClick={() => pending.answer(true)}
            >
              {confirmLabel}
            </button>
          )
        }
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
