import { useState } from 'react';

/** The server's list, or the expected one: the latter is shown until the server answers again or refuses. */
export function useShownEarly<Item>(server: readonly Item[]) {
  const [early, setEarly] = useState<{ readonly over: readonly Item[]; readonly items: readonly Item[] }>();
  return {
    shown: early?.over === server ? early.items : server,
    showEarly: (items: readonly Item[]) => setEarly({ over: server, items }),
    takeBack: () => setEarly(undefined),
  };
}
