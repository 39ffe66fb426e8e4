import { useHost, useServerData } from '@trellis/sdk/web';
import { useEffect } from 'react';
import { noticesObjectKind, type NoticeList } from '../shared/index.ts';

export const noticesPath = '/api/v1/plugins/notification-center/notices';
export const noticesTag = 'notices';

/** What the person was told, as it is now. */
export function useNotices() {
  const { live, invalidate } = useHost();
  useEffect(() => {
    const subscription = live.onEvent((event) => {
      // Who was told is not said to everybody; the answer differs from person to person.
      if (event.kind === 'objects' && event.objectKind === noticesObjectKind) invalidate([noticesTag]);
    });
    return () => subscription.dispose();
  }, [live, invalidate]);
  return useServerData<NoticeList>({ path: noticesPath }, { tags: [noticesTag, 'projects'] });
}
