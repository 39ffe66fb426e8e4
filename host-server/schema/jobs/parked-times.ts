import { wireTime } from '../../metadata/stored-values.ts';

/** Milliseconds for which deleted things can be restored. */
export const keptForMs = 30 * 24 * 60 * 60 * 1000;

/** The next purge drops everything that was parked before this moment. */
export function oldestKept(): number {
  return Date.now() - keptForMs;
}

/** When something was deleted and when it will be purged, as ISO texts. */
export function parkedTimes(at: number): { readonly deletedAt: string; readonly dropsAt: string } {
  return { deletedAt: wireTime(at), dropsAt: wireTime(at + keptForMs) };
}
