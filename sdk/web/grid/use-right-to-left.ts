import { useSyncExternalStore } from 'react';

/** Whether the page is right-to-left. */
export function useRightToLeft(): boolean {
  return useSyncExternalStore(followDirection, isRightToLeft);
}

function isRightToLeft(): boolean {
  return document.documentElement.dir === 'rtl';
}

function followDirection(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['dir'] });
  return () => observer.disconnect();
}
