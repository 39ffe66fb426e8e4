import type { Account, RouteCookie, SignInStep } from '@trellis/sdk/server';
import { authErrors } from './auth-errors.ts';
import type { Tickets } from './tickets.ts';

interface Steps {
  readonly list: () => readonly SignInStep[];
  readonly get: (id: string) => SignInStep | undefined;
}

const cookieName = 'sign_in_step';

/** The cookie of a person who has proved who they are, but has a step left; undefined deletes it. */
export function stepCookie(value: string | undefined): RouteCookie {
  return {
    name: cookieName,
    value,
    path: '/api/v1/auth',
    httpOnly: true,
    sameSite: 'lax',
    maxAge: 600,
  };
}

type Way = 'password' | 'provider';

/** How somebody began to sign in. */
interface Beginning {
  readonly way: Way;
  /** The proof of the password that they used. */
  readonly proof?: string | undefined;
}

/** How somebody began to sign in, the finished steps, and the current one. */
interface Progress extends Beginning {
  readonly done: readonly string[];
  readonly step: string;
}

/** Further steps before people's sessions begin, one after the other. */
export class SignInSteps {
  readonly #steps: Steps;
  readonly #tickets: Tickets;

  constructor(steps: Steps, tickets: Tickets) {
    this.#steps = steps;
    this.#tickets = tickets;
  }

  /** The id of the next step; undefined for none. */
  async next(account: Account, way: Way, done: readonly string[]): Promise<string | undefined> {
    for (const step of this.#steps.list())
      if (!done.includes(step.id) && (await step.isDue(account, way))) return step.id;
    return undefined;
  }

  /** Starts a step; the cookie lets the browser return to it. */
  async ask(account: Account, progress: Progress) {
    const { token } = await this.#tickets.issue('step', account.id, JSON.stringify(progress));
    return { step: progress.step, cookie: stepCookie(token) };
  }

  /** The first step for a person who has proved who they are; undefined for none. */
  async begin(account: Account, beginning: Beginning) {
    const step = await this.next(account, beginning.way, []);
    return step === undefined ? undefined : this.ask(account, { ...beginning, done: [], step });
  }

  /** @throws TrellisError `SIGN_IN_STEP_STALE`. */
  async find(cookies: Readonly<Record<string, string | undefined>>) {
    const token = cookies[cookieName] ?? '';
    const found = await this.#tickets.read(['step'], token);
    if (found.state !== 'valid' || found.note === '') throw authErrors.create('SIGN_IN_STEP_STALE');
    const { way, proof, done, step: id } = JSON.parse(found.note) as Progress;
    const step = this.#steps.get(id);
    if (step === undefined) throw authErrors.create('SIGN_IN_STEP_STALE');
    return { step, token, accountId: found.accountId, way, proof, done };
  }
}
