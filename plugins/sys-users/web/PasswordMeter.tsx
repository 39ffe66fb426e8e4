import { useT } from '@trellis/sdk/web';
import { emptyPasswordHint, passwordRules, passwordStrength } from '../shared/index.ts';

/** The password's strength: 25 points for each rule, and the missing rules as text. */
export function PasswordMeter({ password }: { readonly password: string }) {
  const t = useT();
  const { points, missing } = passwordStrength(password);
  return (
    <div className="meter">
      <div
        className="meter-bar"
        role="progressbar"
        aria-label={t('Password strength')}
        aria-valuenow={points}
        aria-valuemin={0}
        aria-valuemax={100}
        data-points={points}
      >
        {passwordRules.map((rule, index) => (
          <span key={rule.id} data-on={points > index * 25} />
        ))}
      </div>
      <p className="tr-note" aria-live="polite">
        {password === ''
          ? t(emptyPasswordHint)
          : missing.length === 0
            ? t('Strong password')
            : missing.map((message) => t(message)).join(' ')}
      </p>
    </div>
  );
}
