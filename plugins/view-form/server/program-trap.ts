import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SubmitContext, ViewSchema } from '@trellis/sdk/server';

/** Milliseconds that nobody is quicker than who reads a form: its page sends nothing sooner. */
const quickest = 1000;

/** Tells answers of programs, which fill in the field that nobody sees, or send a form as soon as they have it. */
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
    catches({ view, aside: { subject, opened } }) {
      if (subject !== undefined && subject !== '') return true;
      const at = typeof opened === 'string' ? openedAt(view.id, opened) : undefined;
      return at !== undefined && performance.now() - at < quickest;
    },
  };
}
