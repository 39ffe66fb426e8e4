import { useT } from '@trellis/sdk/web';
import { TextField } from '@trellis/sdk/web/ui';
import { minimumPasswordLength } from '../shared/index.ts';
import { PasswordMeter } from './PasswordMeter.tsx';

/** A new password, typed twice. */
export interface NewPassword {
  readonly next: string;
  readonly again: string;
}

export const noPassword: NewPassword = { next: '', again: '' };

export function isUsable({ next, again }: NewPassword): boolean {
  return next.length >= minimumPasswordLength && next === again;
}

/** Two fields for a new password, and its strength. */
export function NewPasswordFields(props: {
  readonly value: NewPassword;
  readonly autoFocus?: boolean;
  readonly onChange: (value: NewPassword) => void;
}) {
  const { value, autoFocus, onChange } = props;
  const { next, again } = value;
  const t = useT();
  return (
    <>
      <TextField
        label={t('New password')}
        type="password"
        value={next}
        autoComplete="new-password"
        autoFocus={autoFocus}
        onChange={(text) => onChange({ next: text, again })}
      />
      <PasswordMeter password={next} />
      <TextField
        label={t('Repeat the new password')}
        type="password"
        value={again}
        autoComplete="new-password"
        problem={again !== '' && again !== next ? t('The two passwords differ') : undefined}
        onChange={(text) => onChange({ next, again: text })}
      />
    </>
  );
}
