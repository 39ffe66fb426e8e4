import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';

/**
 * Runs something at once, or, while a button of the pointer is down, when its click has reached what it meant: what is drawn
 * meanwhile could move that away from under the pointer. It runs before whatever hears the click.
 */
export function useAfterPress(): (run: () => void) => void {
  const press = useRef({ isDown: false, waiting: [] as (() => void)[] });
  useEffect(() => {
    const now = press.current;
    const runAll = (): void => {
      for (const run of now.waiting.splice(0)) run();
    };
    const down = (): void => {
      now.isDown = true;
    };
    const up = (): void => {
      now.isDown = false;
      // No click follows a press that ends elsewhere than it began.
      setTimeout(runAll);
    };
    window.addEventListener('pointerdown', down, true);
    window.addEventListener('pointerup', up, true);
    window.addEventListener('pointercancel', up, true);
    // Whoever hears the click, such as a form, goes by what came of it.
    const click = (): void => {
      if (now.waiting.length > 0) flushSync(runAll);
    };
    window.addEventListener('click', click, true);
    return () => {
      window.removeEventListener('pointerdown', down, true);
      window.removeEventListener('pointerup', up, true);
      window.removeEventListener('pointercancel', up, true);
      window.removeEventListener('click', click, true);
      runAll();
    };
  }, []);
  return (run) => {
    if (press.current.isDown) press.current.waiting.push(run);
    else run();
  };
}
