import { useT } from '@trellis/sdk/web';
import { useSelector } from 'react-redux';
import { isBusy } from '../store/notifications-slice.ts';
import type { HostState } from '../store/store.ts';

/** A thin line at the top while requests run. Its style delays it by 200 ms, so short requests do not show it. */
export function LoadingBar() {
  const t = useT();
  const busy = useSelector(({ notifications }: HostState) => isBusy(notifications));
  return busy ? (
    <div className="tr-loading-bar" role="progressbar" aria-busy="true" aria-label={t('Loading')} />
  ) : undefined;
}
