import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { InputText } from 'primereact/inputtext';
import { useT } from '@trellis/sdk/web';
import { useState } from 'react';
import type { PendingQuestion } from './confirm-center.ts';

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({ pending }: { readonly pending: PendingQuestion }) {
  const t = useT();
  const [typed, setTyped] = useState('');
  const { title, message, confirmLabel, danger, typeToConfirm } = pending.question;
  const blocked = typeToConfirm !== undefined && typed !== typeToConfirm;
  const footer = (
    <>
      <Button
        label={t('Cancel')}
        text
        severity="secondary"
        autoFocus={typeToConfirm === undefined}
        onClick={() => pending.answer(false)}
      />
      <Button
        label={confirmLabel}
        severity={danger === true ? 'danger' : undefined}
        disabled={blocked}
        onClick={() => pending.answer(true)}
      />
    </>
  );
  return (
    <Dialog
      visible
      modal
      className="tr-dialog tr-dialog--confirm"
      header={title}
      footer={footer}
      draggable={false}
      resizable={false}
      onHide={() => pending.answer(false)}
    >
      <div className="tr-confirm-message">{message}</div>
      {typeToConfirm !== undefined && (
        <label className="tr-field">
          <span>{t('Type {{text}} to confirm', { text: typeToConfirm })}</span>
          <InputText autoFocus value={typed} onChange={(event) => setTyped(event.target.value)} />
        </label>
      )}
    </Dialog>
  );
}
