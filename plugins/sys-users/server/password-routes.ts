import {
  AccountStoreToken,
  auditText,
  defineRoute,
  LettersToken,
  RateLimiterToken,
  RouteAnswer,
  type Account,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { authErrors } from './auth-errors.ts';
import { authPath, text, triesOfAddress, type AuthParts } from './auth-steps.ts';
import { textsFor } from './letters/texts.ts';
import { checkNewPassword } from './password-hash.ts';
import { refreshCookie } from './refresh-cookie.ts';
import { kindsOfSessions, lifetimes, resetKinds, type TicketFound } from './tickets.ts';

interface ForgotBody {
  readonly email?: string;
}

interface ResetBody {
  readonly password?: string;
  /** The name in the published client's types. */
  readonly new_password?: string;
}

/** Sets a new password by a link in a mail. */
export function passwordRoutes(
  ctx: ServerPluginContext,
  { sessions, hasher, steps, tickets, verified }: AuthParts,
): readonly RouteDefinition[] {
  const accounts = ctx.get(AccountStoreToken);
  const limiter = ctx.get(RateLimiterToken);

  const limitLink = ({ ip }: RouteRequest) =>
    limiter.consume({ name: 'reset.address', ...triesOfAddress }, { address: ip });

  /** Runs after the answer, which is the same whether the address has an account or not. */
  async function sendLink(email: string, languages: string | undefined): Promise<Account | undefined> {
    const account = await accounts.byEmail(email);
    const letters = ctx.find(LettersToken);
    if (account === undefined || account.isDisabled || letters === undefined) return undefined;
    const { token, until } = await tickets.issue('reset', account.id);
    const { text: say } = textsFor(languages);
    const values = { email: account.email, minutes: String(lifetimes.reset / 60_000) };
    await letters.send({
      // To the stored address, never to the typed one.
      to: account.email,
      subject: say('resetSubject'),
      paragraphs: [say('resetText', values)],
      action: { label: say('resetAction'), path: `/user/password/reset/form/${token}` },
      note: say('resetNote', values),
      until,
    });
    return account;
  }

  async function forgot(request: RouteRequest<Record<string, string>, Record<string, unknown>, ForgotBody>) {
    const { email } = request.body;
    if (!email) throw authErrors.create('EMAIL_MISSING');
    await steps.limit(request, 'forgot', email);
    if (ctx.find(LettersToken)?.canSend() !== true) throw authErrors.create('RESET_NEEDS_MAIL');
    void sendLink(email, request.headers['accept-language'])
      .then(async (account) => {
        if (account === undefined) return;
        const told = auditText('{{person}} asked for a new password', { person: account.email });
        await steps.record(account, request, 'PASSWORD_FORGOT', told);
      })
      .catch((error: unknown) => ctx.logger.error('A link to set a password could not be made', { error }));
    return { msg: 'Please check your email to reset the password' };
  }

  async function validate(request: RouteRequest) {
    await limitLink(request);
    validIn(await tickets.read(resetKinds, request.params.token ?? ''));
    return true;
  }

  async function reset(request: RouteRequest<Record<string, string>, Record<string, unknown>, ResetBody>) {
    const { token = '' } = request.params;
    const password = request.body.password ?? request.body.new_password;
    if (!password) throw authErrors.create('PASSWORD_REQUIRED');
    checkNewPassword(password);
    await limitLink(request);
    // Before the password is hashed, which is slow.
    validIn(await tickets.read(resetKinds, token));
    const hash = await hasher.hash(password);
    const accountId = await ctx.db.write(async (unit) => {
      const { accountId: id, kind } = validIn(await tickets.take(resetKinds, token, unit));
      const fresh = { hash, changed_at: Date.now() };
      if ((await unit.run(unit.table('password').where({ account_id: id }).update(fresh))) === 0)
        await unit.run(unit.table('password').insert({ account_id: id, ...fresh }));
      // A person with the mail owns the address; a link from an administrator may have been delivered otherwise.
      if (kind === 'reset') await verified.add(id, unit);
      await tickets.revoke(id, kindsOfSessions, unit);
      await sessions.endAll(id, unit);
      return id;
    });
    sessions.didEndAll(accountId);
    await ctx.hooks.call('passwords.didReset', { accountId });
    const account = await accounts.byId(accountId);
    if (account !== undefined) {
      await limiter.reset('signin.account', { email: account.email });
      const told = auditText('{{person}} set a new password', { person: account.email });
      await steps.record(account, request, 'PASSWORD_RESET', told);
    }
    return new RouteAnswer({
      body: { msg: 'Password reset successful' },
      cookies: [refreshCookie(undefined)],
    });
  }

  return [
    defineRoute<Record<string, string>, Record<string, unknown>, ForgotBody>({
      ...authPath('/password/forgot'),
      method: 'POST',
      permission: 'public',
      summary: 'Send a link to set a new password; the answer does not tell who has an account',
      schemas: { body: { type: 'object', properties: { email: text(320) } } },
      unknownKeys: 'refuse',
      handle: forgot,
    }),
    defineRoute({
      ...authPath('/token/validate/:token'),
      method: 'POST',
      permission: 'public',
      summary: 'Whether a link to set a password works',
      handle: validate,
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, ResetBody>({
      ...authPath('/password/reset/:token'),
      method: 'POST',
      permission: 'public',
      summary: 'Set a new password by a link; every session ends',
      schemas: { body: { type: 'object', properties: { password: text(4096), new_password: text(4096) } } },
      unknownKeys: 'refuse',
      places: 'passwords',
      handle: reset,
    }),
  ];
}

/** @throws TrellisError `RESET_LINK_INVALID`, `RESET_LINK_EXPIRED`. */
function validIn(found: TicketFound): TicketFound & { readonly state: 'valid' } {
  if (found.state === 'valid') return found;
  throw authErrors.create(found.state === 'expired' ? 'RESET_LINK_EXPIRED' : 'RESET_LINK_INVALID');
}
