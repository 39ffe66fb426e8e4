import { useHost, useServerData } from '@trellis/sdk/web';
import { useEffect } from 'react';
import { noticesObjectKind, type NoticeList, type UnreadNotices } from '../shared/index.ts';

export const noticesPath = '/api/v1/plugins/notification-center/notices';
export const noticesTag = 'notices';

/** Notices of a project appear and disappear with it. */
const tags = [noticesTag, 'projects'];

/** The person's current notices; used below a bell, which follows the events. */
export function useNotices() {
  return useServerData<NoticeList>({ path: noticesPath }, { tags });
}

/** The number of unread notices. */
export function useUnreadNotices() {
  const { live, invalidate } = useHost();
  useEffect(() => {
    const subscription = live.onEvent((event) => {
      // The event does not say who was notified; the answer differs from person to person.
      if (event.kind === 'objects' && event.objectKind === noticesObjectKind) invalidate([noticesTag]);
    });
    return () => subscription.dispose();
  }, [live, invalidate]);
  return useServerData<UnreadNotices>({ path: `${noticesPath}/unread` }, { tags });
}
