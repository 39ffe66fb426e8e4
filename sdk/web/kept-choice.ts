import { useState } from 'react';
import { useUserStorage } from './contribution.tsx';

/** A person's last choice, and a function to change it. @public */
export type KeptChoice<Choice extends string> = readonly [Choice, (next: Choice) => void];

/**
 * A personal choice among several values, stored under a key of the plugin. `usual` before the first choice, and if the chosen
 * value is no longer offered.
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
