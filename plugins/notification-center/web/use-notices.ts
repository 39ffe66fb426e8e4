import { useHost, useServerData } from '@trellis/sdk/web';
import { useEffect } from 'react';
import { noticesObjectKind, type NoticeList, type UnreadNotices } from '../shared/index.ts';

export const noticesPath = '/api/v1/plugins/notification-center/notices';
export const noticesTag = 'notices';

/** What belongs to a project comes and goes with it. */
const tags = [noticesTag, 'projects'];

/** What the person was told, as it is now: below a bell, which follows what others do. */
export function useNotices() {
  return useServerData<NoticeList>({ path: noticesPath }, { tags });
}

/** How much of it they have not read. */
export function useUnreadNotices() {
  const { live, invalidate } = useHost();
  useEffect(() => {
    const subscription = live.onEvent((event) => {
      // Who was told is not said to everybody; the answer differs from person to person.
      if (event.kind === 'objects' && event.objectKind === noticesObjectKind) invalidate([noticesTag]);
    });
    return () => subscription.dispose();
  }, [live, invalidate]);
  return useServerData<UnreadNotices>({ path: `${noticesPath}/unread` }, { tags });
}
