import { useEffect } from 'react';
import { readLook, type LinkLook } from '../shared/index.ts';

/** The look of a link's page; its mode, light or dark, applies while the page is shown. */
export function useLook(kept: unknown): LinkLook {
  const look = readLook(kept) ?? {};
  const { mode } = look;
  useEffect(() => {
    if (mode === undefined) return undefined;
    const { dataset } = document.documentElement;
    const before = dataset.theme;
    dataset.theme = mode;
    return () => {
      dataset.theme = before;
    };
  }, [mode]);
  return look;
}
