import { type ConfirmQuestion, useHost } from '../host.tsx';

/**
 * Asks whether what was entered is thrown away, as a dialog asks before it is closed. Resolves to whether the person agrees.
 *
 * @param question asked in place of the usual one
 * @public
 */
export function useThrowAway(question?: ConfirmQuestion): () => Promise<boolean> {
  const { confirm, sharedT: t } = useHost();
  return () =>
    confirm(
      question ?? {
        title: t('Throw away what was entered?'),
        message: t('Nothing of it is saved yet.'),
        confirmLabel: t('Throw away'),
        danger: true,
      },
    );
}
