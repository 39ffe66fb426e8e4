import { useHost } from '../host.tsx';

/** Asks whether what was entered is thrown away, as a dialog asks before it is closed. Resolves to whether the person agrees. @public */
export function useThrowAway(): () => Promise<boolean> {
  const { confirm, sharedT: t } = useHost();
  return () =>
    confirm({
      title: t('Throw away what was entered?'),
      message: t('Nothing of it is saved yet.'),
      confirmLabel: t('Throw away'),
      danger: true,
    });
}
