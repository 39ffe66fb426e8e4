import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SubmitContext, ViewSchema } from '@trellis/sdk/server';
import { quickestAnswer } from '../shared/index.ts';

/** Detects answers of bots, which fill in the invisible field, or send a form as soon as they have it. */
export interface ProgramTrap {
  /** A signed time of opening a form, which only this server can create. */
  sign(form: Pick<ViewSchema, 'id'>): string;
  /**
   * Whether an answer comes from a bot. Callers of the API send neither a signed time nor the field. A signature of another server,
   * or from before a restart, is ignored: clocks differ, and no person's answer may be lost.
   */
  catches(context: Pick<SubmitContext, 'view' | 'aside'>): boolean;
}

export function createProgramTrap(): ProgramTrap {
  const key = randomBytes(32);
  const signed = (viewId: string, at: string) =>
    `${at}.${createHmac('sha256', key).update(`${viewId} ${at}`).digest('base64url')}`;

  /** When a form was opened, by this process's clock; undefined for a foreign signature. */
  function openedAt(viewId: string, sign: string): number | undefined {
    const [at = ''] = sign.split('.');
    const [given, made] = [Buffer.from(sign), Buffer.from(signed(viewId, at))];
    return given.length === made.length && timingSafeEqual(given, made) ? Number(at) : undefined;
  }

  return {
    sign: ({ id }) => signed(id, Math.floor(performance.now()).toString()),
    catches({ view, aside: { second_subject: subject, opened } }) {
      if (subject !== undefined && subject !== '') return true;
      const at = typeof opened === 'string' ? openedAt(view.id, opened) : undefined;
      return at !== undefined && performance.now() - at < quickestAnswer;
    },
  };
}
