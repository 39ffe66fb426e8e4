import type { VisitLook } from '@trellis/sdk/web';
import { useEffect, useLayoutEffect, useRef } from 'react';

/** Milliseconds between checks. They vary, so that visitors who opened a link together do not keep asking at the same time. */
const pause = () => 40_000 + Math.random() * 15_000;

/**
 * Checks from time to time while the page is visible, and when the visitor returns to it.
 *
 * @param look its signal aborts when the next check begins, and when checking ends
 */
export function useLooks(isOn: boolean, look: (why: VisitLook, signal: AbortSignal) => Promise<void>): void {
  const latest = useRef(look);
  useLayoutEffect(() => {
    latest.current = look;
  });
  useEffect(() => {
    if (!isOn) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let reading: AbortController | undefined;
    const wait = () => {
      timer = setTimeout(() => begin('time'), pause());
    };
    const stop = () => {
      clearTimeout(timer);
      reading?.abort();
    };
    function begin(why: VisitLook): void {
      stop();
      reading = new AbortController();
      void latest.current(why, reading.signal);
      wait();
    }
    const see = () => {
      if (document.visibilityState === 'visible') begin('return');
      else clearTimeout(timer);
    };
    if (document.visibilityState === 'visible') wait();
    document.addEventListener('visibilitychange', see);
    return () => {
      document.removeEventListener('visibilitychange', see);
      stop();
    };
  }, [isOn]);
}
