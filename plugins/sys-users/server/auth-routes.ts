import {
  AccessServiceToken,
  AccountStoreToken,
  auditText,
  defineRoute,
  RateLimiterToken,
  RouteAnswer,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { JsonSchema } from '@trellis/sdk/shared';
import { authErrors } from './auth-errors.ts';
import {
  assertEnabled,
  authPath,
  credentialsSchema,
  deviceOf,
  text,
  triesOfAccount,
  type AuthParts,
  type Credentials,
} from './auth-steps.ts';
import { checkNewPassword } from './password-hash.ts';
import { Passwords, proofOf } from './passwords.ts';
import { refreshCookie } from './refresh-cookie.ts';
import { kindsOfSessions } from './tickets.ts';

interface PasswordChange {
  readonly currentPassword?: string;
  readonly newPassword?: string;
}

const passwordChangeSchema: JsonSchema = {
  type: 'object',
  properties: { currentPassword: text(4096), newPassword: text(4096) },
};

/** Sign-in, me, password change, refresh and sign-out. */
export function authRoutes(
  ctx: ServerPluginContext,
  { sessions, hasher, steps, tickets, verified, pictures, further }: AuthParts,
): readonly RouteDefinition[] {
  const accounts = ctx.get(AccountStoreToken);
  const access = ctx.get(AccessServiceToken);
  const limiter = ctx.get(RateLimiterToken);
  const passwords = new Passwords(ctx.db);
  const { limit, signedIn, record } = steps;

  async function signIn(request: RouteRequest<Record<string, string>, Record<string, unknown>, Credentials>) {
    const { email, password } = request.body;
    if (!email || !password) throw authErrors.create('MISSING_CREDENTIALS');
    if (password.length > 1024) throw authErrors.create('SIGN_IN_FAILED');
    await limit(request, 'signin', email);
    const account = await accounts.byEmail(email);
    // An address that nobody has is asked and hashed for as well, so that it takes the same time.
    const hash = await passwords.hashOf(account?.id ?? '');
    const matches = await hasher.verify(password, hash);
    if (account === undefined || hash === undefined || !matches) throw authErrors.create('SIGN_IN_FAILED');
    assertEnabled(account);
    const reset = () => limiter.reset('signin.account', { email });
    const proof = proofOf(hash);
    const asked = await further.begin(account, { way: 'password', proof });
    if (asked !== undefined) {
      await reset();
      return new RouteAnswer({ body: { step: asked.step }, cookies: [asked.cookie] });
    }
    const told = auditText('{{person}} signed in', { person: account.email });
    const session = await ctx.db.write(async (unit) => {
      // Hashing takes its time: somebody may have changed the password meanwhile, to be rid of whoever knows the former one.
      if (!(await passwords.isStill(account.id, proof, unit))) throw authErrors.create('SIGN_IN_FAILED');
      return sessions.open(account.id, deviceOf(request), unit);
    });
    // Begun together they share one transaction, and so one wait for the disk.
    await Promise.all([record(account, request, 'SIGNIN', told), reset()]);
    return signedIn(account, session);
  }

  async function me(request: RouteRequest) {
    const { principal } = request;
    if (principal.kind === 'guest') return { roles: { guest: true } };
    const projectId = typeof request.query.project_id === 'string' ? request.query.project_id : undefined;
    const scope = await access.scopeFor(principal, projectId, request.id);
    // Outside of projects a token has what it is limited to, and nothing of its owner's account.
    const { kind, maximumRole } = principal;
    const isLimited = projectId === undefined && kind !== 'user' && maximumRole !== undefined;
    const roles = isLimited ? [maximumRole] : scope.roles;
    const account = await accounts.byId(principal.id);
    return {
      isAuthorized: true,
      id: principal.id,
      email: principal.email,
      email_verified: await verified.has(principal.id),
      picture: (await pictures.addresses([principal.id])).get(principal.id) ?? null,
      firstname: account?.firstname ?? null,
      lastname: account?.lastname ?? null,
      roles: Object.fromEntries((roles.length > 0 ? roles : ['user']).map((role) => [role, true])),
      permissions: access.permissionsOf(scope),
    };
  }

  async function changePassword(
    request: RouteRequest<Record<string, string>, Record<string, unknown>, PasswordChange>,
  ) {
    const { currentPassword, newPassword } = request.body;
    if (!currentPassword || !newPassword) throw authErrors.create('MISSING_PASSWORDS');
    checkNewPassword(newPassword);
    const { id } = request.principal;
    await limiter.consume({ name: 'password', ...triesOfAccount }, id);
    const former = await passwords.hashOf(id);
    const matches = currentPassword.length <= 1024 && (await hasher.verify(currentPassword, former));
    if (former === undefined || !matches) throw authErrors.create('CURRENT_PASSWORD_WRONG');
    const hash = await hasher.hash(newPassword);
    await ctx.db.write(async (unit) => {
      if (!(await passwords.isStill(id, proofOf(former), unit)))
        throw authErrors.create('CURRENT_PASSWORD_WRONG');
      await unit.run(
        unit.table('password').where({ account_id: id }).update({ hash, changed_at: Date.now() }),
      );
      await sessions.endAll(id, unit);
      await tickets.revoke(id, kindsOfSessions, unit);
    });
    sessions.didEndAll(id);
    const told = auditText('{{person}} changed the password', { person: request.principal.email });
    await record(request.principal, request, 'PASSWORD_CHANGE', told);
    return new RouteAnswer({
      body: { msg: 'Password updated successfully' },
      cookies: [refreshCookie(undefined)],
    });
  }

  async function refresh(request: RouteRequest) {
    const cookie = request.cookies.refresh_token;
    if (!cookie) throw authErrors.create('MISSING_REFRESH_TOKEN');
    await limiter.consume(
      { name: 'refresh.address', limit: 600, windowSeconds: 15 * 60 },
      { address: request.ip },
    );
    const session = await sessions.refresh(cookie);
    const account = await accounts.byId(session.accountId);
    if (account === undefined || account.isDisabled) throw authErrors.create('INVALID_REFRESH_TOKEN');
    return signedIn(account, session);
  }

  async function signOut(request: RouteRequest) {
    const { credentialId, id } = request.principal;
    if (credentialId !== undefined) await sessions.end({ accountId: id, id: credentialId });
    return new RouteAnswer({ body: { msg: 'Signed out' }, cookies: [refreshCookie(undefined)] });
  }

  return [
    defineRoute<Record<string, string>, Record<string, unknown>, Credentials>({
      ...authPath('/user/signin'),
      method: 'POST',
      permission: 'public',
      summary: 'Sign in with e-mail and password',
      schemas: { body: credentialsSchema },
      unknownKeys: 'refuse',
      places: 'passwords',
      handle: signIn,
    }),
    defineRoute({
      ...authPath('/user/me'),
      method: 'GET',
      permission: 'public',
      summary: 'Who is asking, and their roles',
      handle: me,
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, PasswordChange>({
      ...authPath('/password/change'),
      method: 'POST',
      permission: 'passwordChange',
      summary: 'Change the password; every session ends',
      schemas: { body: passwordChangeSchema },
      unknownKeys: 'refuse',
      places: 'passwords',
      handle: changePassword,
    }),
    defineRoute({
      path: '/api/v1/auth/token/refresh',
      aliases: ['/auth/token/refresh', '/api/v1/db/auth/token/refresh', '/auth/refresh-token'],
      method: 'POST',
      permission: 'public',
      summary: 'A new access token for the refresh cookie',
      handle: refresh,
    }),
    defineRoute({
      ...authPath('/user/signout'),
      method: 'POST',
      permission: 'public',
      summary: 'End this session',
      handle: signOut,
    }),
  ];
}
