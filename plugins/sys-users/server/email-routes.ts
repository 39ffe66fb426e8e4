import {
  AccountStoreToken,
  auditText,
  defineRoute,
  LettersToken,
  RateLimiterToken,
  type Account,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { authErrors } from './auth-errors.ts';
import { authPath, triesOfAddress, type AuthParts } from './auth-steps.ts';
import { textsFor } from './letters/texts.ts';

/** Mails by which people confirm their addresses. */
export interface VerificationLetters {
  send(account: Account, languages: string | undefined): Promise<void>;
  /** Sends it in the background, if mail is set up. */
  sendLater(account: Account, languages: string | undefined): void;
}

export function verificationLetters(
  ctx: ServerPluginContext,
  { tickets }: Pick<AuthParts, 'tickets'>,
): VerificationLetters {
  async function send(account: Account, languages: string | undefined): Promise<void> {
    const letters = ctx.find(LettersToken);
    if (letters?.canSend() !== true) throw authErrors.create('RESET_NEEDS_MAIL');
    const { token, until } = await tickets.issue('verify', account.id);
    const { text, day } = textsFor(languages);
    const values = { email: account.email, day: day(until) };
    await letters.send({
      to: account.email,
      subject: text('verifySubject'),
      paragraphs: [text('verifyText', values)],
      action: { label: text('verifyAction'), path: `/user/email/validate/${token}` },
      note: text('verifyNote', values),
      until,
    });
  }
  return {
    send,
    sendLater(account, languages) {
      if (ctx.find(LettersToken)?.canSend() !== true) return;
      send(account, languages).catch((error: unknown) =>
        ctx.logger.error('A mail to confirm an address could not be made', { error }),
      );
    },
  };
}

/** Confirms the address of an account. */
export function emailRoutes(
  ctx: ServerPluginContext,
  { tickets, verified, steps }: Pick<AuthParts, 'tickets' | 'verified' | 'steps'>,
  letters: VerificationLetters,
): readonly RouteDefinition[] {
  const accounts = ctx.get(AccountStoreToken);
  const limiter = ctx.get(RateLimiterToken);

  async function validate(request: RouteRequest) {
    await limiter.consume({ name: 'verify.address', ...triesOfAddress }, { address: request.ip });
    const accountId = await ctx.db.write(async (unit) => {
      const found = await tickets.take(['verify'], request.params.token ?? '', unit);
      if (found.state !== 'valid') throw authErrors.create('VERIFICATION_LINK_INVALID');
      await verified.add(found.accountId, unit);
      return found.accountId;
    });
    const account = await accounts.byId(accountId);
    if (account !== undefined) {
      const told = auditText('{{person}} confirmed the address', { person: account.email });
      await steps.record(account, request, 'EMAIL_VERIFICATION', told);
    }
    return { msg: 'Email verified successfully' };
  }

  async function sendAgain(request: RouteRequest) {
    const account = await accounts.byId(request.principal.id);
    if (account === undefined || request.principal.kind !== 'user')
      throw authErrors.create('VERIFICATION_LINK_INVALID');
    await limiter.consume({ name: 'verify.account', limit: 5, windowSeconds: 3600 }, account.id);
    await letters.send(account, request.headers['accept-language']);
    return { msg: 'success' };
  }

  return [
    defineRoute({
      ...authPath('/email/validate/:token'),
      method: 'POST',
      permission: 'public',
      summary: 'Confirm the address of an account by the link in a mail',
      handle: validate,
    }),
    defineRoute({
      method: 'POST',
      path: '/api/v1/auth/email/confirm',
      permission: 'signedIn',
      summary: 'Send the mail to confirm the own address again',
      handle: sendAgain,
    }),
  ];
}
