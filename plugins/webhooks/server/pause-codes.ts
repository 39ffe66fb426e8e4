import { unjudgedCodes } from '../shared/index.ts';
import { hookErrors } from './hook-errors.ts';
import type { Hook } from './hook-store.ts';

/** Why a webhook is paused automatically, by codes that pages translate. */
export const pauseCodes = [
  'HOOK_LOOP',
  'HOOK_VIEW_GONE',
  'HOOK_CONDITIONS_GONE',
  'HOOK_VALUE_GONE',
  'HOOK_ALL_REFUSED',
  'HOOK_OWNER_RIGHTS',
  'HOOK_OWNER_LIMITED',
  'HOOK_OWNER_TOKEN',
] as const;
export type PauseCode = (typeof pauseCodes)[number];
/** The reasons for which a webhook can resume only with another owner. */
export type OwnerCode = Extract<PauseCode, `HOOK_OWNER_${string}`>;

/** Whether a webhook is paused because it has no valid owner. */
export function isOwnerLost({ paused }: Pick<Hook, 'paused'>): boolean {
  return pauseCodeOf(paused)?.startsWith('HOOK_OWNER_') === true;
}

/** Whether a paused webhook's conditions are invalid: changes meanwhile are counted and not stored. */
export function isUnjudged({ paused }: Pick<Hook, 'paused'>): boolean {
  const code = pauseCodeOf(paused);
  return code !== null && unjudgedCodes.has(code);
}

/** The code of a reason, if it is one of `pauseCodes`. */
export function pauseCodeOf(paused: string | undefined): PauseCode | null {
  return pauseCodes.find((code) => hookErrors.create(code).message === paused) ?? null;
}
