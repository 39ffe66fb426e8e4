import { useState } from 'react';
import { useUserStorage } from './contribution.tsx';

/** What a person chose last, and the way to choose something else. @public */
export type KeptChoice<Choice extends string> = readonly [Choice, (next: Choice) => void];

/**
 * One of several values that a person chooses for themselves, kept under a key of the plugin. `usual` until they choose, and where what they
 * chose is not offered any more.
 *
 * @public
 */
export function useKeptChoice<Choice extends string>(
  key: string,
  offered: readonly Choice[],
  usual: Choice,
): KeptChoice<Choice> {
  const storage = useUserStorage();
  const [chosen, setChosen] = useState(() => storage.get<Choice>(key));
  const shown = offered.find((choice) => choice === chosen) ?? usual;
  return [
    shown,
    (next) => {
      setChosen(next);
      storage.set(key, next === usual ? undefined : next);
    },
  ];
}
