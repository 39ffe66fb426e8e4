import { useT } from '@trellis/sdk/web';
import { Notice } from '@trellis/sdk/web/ui';
import { useObservable } from '../base/use-observable.ts';
import { useFeedbackParts } from './parts.ts';

/** Shown while the server is away. The page asks again by itself, so the notice has no button. */
export function ConnectionNotice() {
  const t = useT();
  const { connection } = useFeedbackParts();
  const isLost = useObservable(connection.onDidChange, () => connection.isLost);
  if (!isLost) return undefined;
  return (
    <Notice
      severity="warn"
      icon="wifi"
      role="alert"
      actions={[{ label: t('Try again'), run: () => void connection.check() }]}
    >
      <span>{t('The server cannot be reached.')}</span>
      <small>
        {t('What you entered is still here. The page goes on by itself when the server answers.')}
      </small>
    </Notice>
  );
}
