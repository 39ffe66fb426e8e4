import { useHost } from '@trellis/sdk/web';
import { CopyField, QrCode } from '@trellis/sdk/web/ui';
import { CodeForm } from './CodeForm.tsx';

/** The picture for the phone to scan, and the first code, which proves that it did. */
export function FactorSetup(props: {
  readonly secret: string;
  readonly uri: string;
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  readonly onCode: (code: string) => void;
}) {
  const { t } = useHost();
  return (
    <div className="factor">
      <p>
        {t('Scan this picture with the authenticator app of your phone, then type the code that it shows.')}
      </p>
      <QrCode text={props.uri} label={t('Picture to scan')} />
      <CopyField
        label={t('Or type this into the app')}
        value={props.secret}
        copied={t('Copied')}
        refused={t('The browser did not let it be copied.')}
      />
      <CodeForm
        submitLabel={t('Switch on')}
        isBusy={props.isBusy}
        problem={props.problem}
        onCode={props.onCode}
      />
    </div>
  );
}
