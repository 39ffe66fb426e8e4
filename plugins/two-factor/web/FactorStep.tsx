import { useHost, type SignInStepProps } from '@trellis/sdk/web';
import { useState } from 'react';
import { CodeForm } from './CodeForm.tsx';
import { FactorSetup } from './FactorSetup.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

/** Asks for the code at sign-in, or sets up the phone if the server requires it. */
export default function FactorStep({
  data: latest,
  told,
  isBusy,
  problem,
  onAnswer,
  onDone,
}: SignInStepProps) {
  const { t } = useHost();
  // Kept, because a later answer would contain another picture than the scanned one.
  const [data] = useState(latest);
  const codes = told?.['recoveryCodes'];
  if (Array.isArray(codes)) return <RecoveryCodes codes={codes.map(String)} onDone={onDone} />;
  const form = { isBusy, problem };
  if (data['kind'] === 'setup')
    return (
      <FactorSetup
        {...form}
        secret={String(data['secret'])}
        uri={String(data['uri'])}
        onCode={(code) => onAnswer({ code, setup: data['setup'] })}
      />
    );
  return (
    <div className="factor">
      <p>{t('Type the code that the app on your phone shows, or one of your recovery codes.')}</p>
      <CodeForm submitLabel={t('Continue')} {...form} onCode={(code) => onAnswer({ code })} />
    </div>
  );
}
