import { useHost } from '@trellis/sdk/web';
import { copyText, Notice } from '@trellis/sdk/web/ui';

/** Shown once. */
export function RecoveryCodes({
  codes,
  onDone,
}: {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}) {
  const { t, toast } = useHost();

  async function copy() {
    toast(
      (await copyText(codes.join('\n')))
        ? { severity: 'success', summary: t('Copied') }
        : { severity: 'error', summary: t('The browser did not let it be copied.') },
    );
  }

  return (
    <div className="factor">
      <Notice severity="warn">
        {t(
          'Keep these recovery codes in a safe place. Each lets you in once without your phone, and they are not shown again.',
        )}
      </Notice>
      <ul className="factor-recovery">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <button type="button" className="tr-button" onClick={() => void copy()}>
        <i className="pi pi-copy" aria-hidden="true" /> {t('Copy them all')}
      </button>
      <button type="button" className="tr-button tr-button--primary" onClick={onDone}>
        {t('I have kept them')}
      </button>
    </div>
  );
}
