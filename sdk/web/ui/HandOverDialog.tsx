import type { ReactNode } from 'react';
import { useSharedT } from '../host.tsx';
import { CopyField, type CopyFieldProps } from './CopyField.tsx';
import { Dialog } from './Dialog.tsx';
import { Notice } from './Notice.tsx';

/** What a `HandOverDialog` shows: the text as a `CopyField` does, and what to know before it is closed. @public */
export interface HandOverDialogProps extends CopyFieldProps {
  readonly title: string;
  readonly warning: string;
  /** Pixels. Default 560. */
  readonly width?: number;
  onClose(this: void): void;
}

/** Shows a text this once, such as a link or a token, to be copied and handed over. @public */
export function HandOverDialog(props: HandOverDialogProps): ReactNode {
  const { title, warning, width = 560, onClose, ...field } = props;
  const t = useSharedT();
  return (
    <Dialog title={title} width={width} onClose={onClose}>
      <div className="tr-form">
        <Notice severity="warn">{warning}</Notice>
        <CopyField {...field} />
        <div className="tr-form-actions">
          <span className="tr-gap" />
          <button type="button" className="tr-button tr-button--primary" onClick={onClose}>
            {t('Done')}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
