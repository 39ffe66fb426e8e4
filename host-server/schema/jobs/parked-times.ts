import { wireTime } from '../../metadata/stored-values.ts';

/** How long what was deleted can be restored. */
export const keptForMs = 30 * 24 * 60 * 60 * 1000;

/** What was parked before this moment is dropped by the next purge. */
export function oldestKept(): number {
  return Date.now() - keptForMs;
}

/** When something was deleted and when it goes for good, as they travel. */
export function parkedTimes(at: number): { readonly deletedAt: string; readonly dropsAt: string } {
  return { deletedAt: wireTime(at), dropsAt: wireTime(at + keptForMs) };
}
