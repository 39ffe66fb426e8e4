import { useSyncExternalStore } from 'react';
import type { HeardList } from './heard-list.ts';

/** Lists what was heard, the newest first. */
export function FramedPage({ heard }: { readonly heard: HeardList }) {
  const list = useSyncExternalStore(heard.subscribe, heard.read);
  return (
    <ol aria-label="Heard">
      {list.map((what, at) => (
        <li key={list.length - at}>{what}</li>
      ))}
    </ol>
  );
}
