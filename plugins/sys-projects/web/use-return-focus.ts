import { useEffect, useState } from 'react';

/** Gives the focus back, when what calls this goes away, to where it was when it came. */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    },
    [before],
  );
}
