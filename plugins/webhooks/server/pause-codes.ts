import { unjudgedCodes } from '../shared/index.ts';
import { hookErrors } from './hook-errors.ts';
import type { Hook } from './hook-store.ts';

/** Why a webhook is paused by itself, in words that pages have in their language. */
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
/** Those of a webhook that goes on in the name of somebody else alone. */
export type OwnerCode = Extract<PauseCode, `HOOK_OWNER_${string}`>;

/** Whether a webhook is paused because nobody answers for it any more. */
export function isOwnerLost({ paused }: Pick<Hook, 'paused'>): boolean {
  return pauseCodeOf(paused)?.startsWith('HOOK_OWNER_') === true;
}

/** Whether nobody knows what a paused webhook means: changes meanwhile are counted and not kept. */
export function isUnjudged({ paused }: Pick<Hook, 'paused'>): boolean {
  const code = pauseCodeOf(paused);
  return code !== null && unjudgedCodes.has(code);
}

/** The code of a reason that is one of `pauseCodes`. */
export function pauseCodeOf(paused: string | undefined): PauseCode | null {
  return pauseCodes.find((code) => hookErrors.create(code).message === paused) ?? null;
}
