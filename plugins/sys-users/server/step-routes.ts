import {
  AccountStoreToken,
  auditText,
  defineRoute,
  RateLimiterToken,
  RouteAnswer,
  type PluginUnit,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { authErrors } from './auth-errors.ts';
import { assertEnabled, deviceOf, triesOfAddress, type AuthParts } from './auth-steps.ts';
import { Passwords } from './passwords.ts';
import { refreshCookie } from './refresh-cookie.ts';
import { stepCookie } from './sign-in-steps.ts';

interface AnswerBody {
  readonly answer: Readonly<Record<string, unknown>>;
}

/** The steps between proving one's identity and the start of the session. */
export function stepRoutes(
  ctx: ServerPluginContext,
  { sessions, tickets, steps, further }: AuthParts,
): readonly RouteDefinition[] {
  const accounts = ctx.get(AccountStoreToken);
  const limiter = ctx.get(RateLimiterToken);
  const passwords = new Passwords(ctx.db);
  const path = '/api/v1/auth/user/step';

  async function find(request: Pick<RouteRequest, 'cookies' | 'ip'>) {
    await limiter.consume({ name: 'step.address', ...triesOfAddress }, { address: request.ip });
    const { accountId, ...found } = await further.find(request.cookies);
    const account = await accounts.byId(accountId);
    if (account === undefined) throw authErrors.create('SIGN_IN_STEP_STALE');
    assertEnabled(account);
    return { ...found, account };
  }

  async function begin(request: RouteRequest) {
    const { step, account } = await find(request);
    return { step: step.id, data: await step.begin(account) };
  }

  async function finish(request: RouteRequest<Record<string, string>, Record<string, unknown>, AnswerBody>) {
    const { step, token, account, way, proof, done } = await find(request);
    const told = await step.finish(account, request.body.answer);
    const take = async (unit: PluginUnit): Promise<void> => {
      const taken = await tickets.take(['step'], token, unit);
      if (taken.state !== 'valid') throw authErrors.create('SIGN_IN_STEP_STALE');
    };
    const doneNow = [...done, step.id];
    const next = await further.next(account, way, doneNow);
    if (next !== undefined) {
      await ctx.db.write(take);
      const asked = await further.ask(account, { way, proof, done: doneNow, step: next });
      return new RouteAnswer({ body: { step: asked.step, told }, cookies: [asked.cookie] });
    }
    const session = await ctx.db.write(async (unit) => {
      await take(unit);
      // The first step used a password that was changed since.
      if (proof !== undefined && !(await passwords.isStill(account.id, proof, unit)))
        throw authErrors.create('SIGN_IN_STEP_STALE');
      return sessions.open(account.id, deviceOf(request), unit);
    });
    const signing = auditText('{{person}} signed in', { person: account.email });
    await steps.record(account, request, 'SIGNIN', signing);
    const signedIn = await steps.signedIn(account, session);
    const cookies = [
      stepCookie(undefined),
      ...(session.refreshToken === undefined ? [] : [refreshCookie(session.refreshToken)]),
    ];
    return new RouteAnswer({ body: { ...(signedIn.body as object), told }, cookies });
  }

  return [
    defineRoute({
      method: 'GET',
      path,
      permission: 'public',
      summary: 'What is left to do before the session starts',
      handle: begin,
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, AnswerBody>({
      method: 'POST',
      path,
      permission: 'public',
      summary: 'Do what is left before the session starts',
      schemas: {
        body: {
          type: 'object',
          required: ['answer'],
          properties: { answer: { type: 'object', maxProperties: 10 } },
        },
      },
      unknownKeys: 'refuse',
      handle: finish,
    }),
  ];
}
