import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SubmitContext, ViewSchema } from '@trellis/sdk/server';
import { quickestAnswer } from '../shared/index.ts';

/** Tells answers of programs, which fill in the field that nobody sees and that nobody else has a use for, or send a form as soon as they have it. */
export interface ProgramTrap {
  /** A sign of when a form was opened, which only this server can make. */
  sign(form: Pick<ViewSchema, 'id'>): string;
  /**
   * Whether an answer is a program's. Callers of the API send neither a sign nor the field. A sign of another server, or of one that was
   * started anew since, says nothing: clocks differ, and no answer of a person may be lost.
   */
  catches(context: Pick<SubmitContext, 'view' | 'aside'>): boolean;
}

export function createProgramTrap(): ProgramTrap {
  const key = randomBytes(32);
  const signed = (viewId: string, at: string) =>
    `${at}.${createHmac('sha256', key).update(`${viewId} ${at}`).digest('base64url')}`;

  /** When a form was opened, by the clock of this process; undefined for a sign that is not its own. */
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
