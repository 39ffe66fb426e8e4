import { type ConfirmQuestion, useHost } from '../host.tsx';

/**
 * Asks whether to discard the input, like a dialog before it is closed. Resolves to whether the person agrees.
 *
 * @param question in place of the default one
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
