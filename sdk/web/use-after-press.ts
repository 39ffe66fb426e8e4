import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';

/**
 * Runs something at once, or, while a pointer button is down, after its click has reached its target: a render meanwhile could move
 * the target away. It runs before the click's handlers.
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
      // A press that ends on another element causes no click.
      setTimeout(runAll);
    };
    window.addEventListener('pointerdown', down, true);
    window.addEventListener('pointerup', up, true);
    window.addEventListener('pointercancel', up, true);
    // Handlers of the click, such as a form's, need the result.
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
