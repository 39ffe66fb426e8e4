import { type ReactNode, useState } from 'react';
import { useSharedT } from '../host.tsx';
import { CopyField, type CopyFieldProps } from './CopyField.tsx';
import { Dialog } from './Dialog.tsx';
import { Notice } from './Notice.tsx';

/** The props of a `HandOverDialog`: a text as in `CopyField`, and a warning. @public */
export interface HandOverDialogProps extends Omit<CopyFieldProps, 'onCopied'> {
  readonly title: string;
  readonly warning: ReactNode;
  /** Pixels. Default 560. */
  readonly width?: number;
  onClose(this: void): void;
}

/**
 * Shows a text only this once, such as a link or a token, for copying. Until it is copied, all ways to close except `Done` ask
 * first. @public
 */
export function HandOverDialog(props: HandOverDialogProps): ReactNode {
  const { title, warning, width = 560, onClose, ...field } = props;
  const t = useSharedT();
  const [isCopied, setCopied] = useState(false);
  return (
    <Dialog
      title={title}
      width={width}
      isUnsaved={!isCopied}
      lossQuestion={{
        title: t('Close without copying it?'),
        message: t('It is shown this once.'),
        confirmLabel: t('Close'),
        danger: true,
      }}
      onClose={onClose}
    >
      <div className="tr-form">
        <Notice severity="warn">{warning}</Notice>
        <CopyField {...field} onCopied={() => setCopied(true)} />
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
