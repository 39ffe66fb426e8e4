import { useHost } from '@trellis/sdk/web';
import { Form, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';

/** The field for the phone's code, or a recovery code. */
export function CodeForm(props: {
  readonly submitLabel: string;
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  readonly onCode: (code: string) => void;
}) {
  const { t } = useHost();
  const [code, setCode] = useState('');
  return (
    <Form
      submitLabel={props.submitLabel}
      isBusy={props.isBusy}
      canSubmit={code.trim() !== ''}
      problem={props.problem}
      onSubmit={() => props.onCode(code.trim())}
    >
      <TextField label={t('Code')} value={code} autoComplete="one-time-code" autoFocus onChange={setCode} />
    </Form>
  );
}
