import {
  AccessServiceToken,
  AccountStoreToken,
  defineRoute,
  ServerHealthToken,
  ServerInfoToken,
  SignInToken,
  type HealthProblem,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { defineErrors, type TrellisError } from '@trellis/sdk/shared';

const serverErrors = defineErrors({
  NOT_HEALTHY: {
    status: 503,
    message: 'This server cannot do its work at the moment, because of: {causes}',
  },
});

/** Public facts about the server, available before anybody signs in. */
export function serverRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const info = ctx.get(ServerInfoToken);
  const accounts = ctx.get(AccountStoreToken);
  const access = ctx.get(AccessServiceToken);
  const health = ctx.get(ServerHealthToken);
  const signIn = ctx.get(SignInToken);
  const open = { permission: 'public', method: 'GET' } as const;
  return [
    defineRoute({
      ...open,
      path: '/api/v1/version',
      places: 'none',
      summary: 'The version of this server',
      handle: () => Promise.resolve({ currentVersion: info.version, releaseVersion: null }),
    }),
    defineRoute({
      ...open,
      path: '/api/v1/health',
      places: 'none',
      summary: 'Whether the server can do its work',
      async handle({ principal }) {
        const problems = await health.problems();
        if (problems.length > 0) throw notHealthy(problems, principal.accountRoles.includes('super'));
        return { message: 'OK', timestamp: Date.now(), uptime: process.uptime() };
      },
    }),
    defineRoute({
      ...open,
      path: '/api/v1/db/meta/nocodb/info',
      summary: 'What a client needs to know before anybody signs in',
      async handle({ principal, origin }) {
        const firstUser = (await accounts.count()) === 0;
        const offers = (id: string) => signIn.providers().some((provider) => provider.id === id);
        return {
          authType: 'jwt',
          projectHasAdmin: !firstUser,
          firstUser,
          type: 'rest',
          googleAuthEnabled: offers('google'),
          githubAuthEnabled: offers('github'),
          oneClick: false,
          connectToExternalDB: true,
          defaultLimit: 25,
          timezone: 'UTC',
          ncMin: false,
          teleEnabled: false,
          ...(principal.kind !== 'guest' && {
            version: info.version,
            ncSiteUrl: info.siteUrl ?? origin ?? null,
          }),
        };
      },
    }),
    defineRoute({
      ...open,
      path: '/ui_ability',
      summary: 'What the caller may do, outside of projects or in the one that the query names',
      async handle({ principal, query, id }) {
        const projectId = typeof query.project_id === 'string' ? query.project_id : undefined;
        const scope = await access.scopeFor(principal, projectId, id);
        return {
          rules: Object.fromEntries(access.permissionsOf(scope).map((permission) => [permission, true])),
        };
      },
    }),
    defineRoute({
      ...open,
      path: '/api/v1/feedback_form',
      summary: 'There is no feedback form; nothing is fetched from outside',
      handle: () => Promise.resolve({}),
    }),
    defineRoute({
      method: 'POST',
      permission: 'public',
      path: '/referral',
      places: 'none',
      bodyLimit: 4096,
      summary: 'Takes what clients say of whence people come, and keeps none of it',
      handle: () => Promise.resolve({}),
    }),
  ];
}

/** @param isAdministered whether the caller may see the details of the checks */
function notHealthy(problems: readonly HealthProblem[], isAdministered: boolean): TrellisError {
  const causes = problems.map((problem) =>
    problem.kind === 'database' ? 'database' : `plugin ${problem.plugin}`,
  );
  return serverErrors.create('NOT_HEALTHY', {
    causes: [...new Set(causes)],
    ...(isAdministered && { problems }),
  });
}
