import { useState } from 'react';

/** What the server said, or what it is about to say: shown until it answers anew or the change is refused. */
export function useShownEarly<Item>(server: readonly Item[]) {
  const [early, setEarly] = useState<{ readonly over: readonly Item[]; readonly items: readonly Item[] }>();
  return {
    shown: early?.over === server ? early.items : server,
    showEarly: (items: readonly Item[]) => setEarly({ over: server, items }),
    takeBack: () => setEarly(undefined),
  };
}
