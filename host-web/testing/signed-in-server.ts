import type { UserEntity } from '@trellis/sdk/shared';
import type { WebPluginEntry } from '../plugins/web-plugin-manifest.ts';
import { FakeServer } from './fake-server.ts';

export const ada: UserEntity = {
  id: 'us_ada',
  email: 'ada@example.com',
  firstname: 'Ada',
  lastname: 'Lovelace',
  email_verified: true,
  roles: { super: true, user: true },
  permissions: ['projectCreate', 'projectRestore', 'databaseOpen'],
};

/** A server with a valid cookie: Ada is signed in after a reload. */
export function signedInServer(plugins: readonly WebPluginEntry[] = []): FakeServer {
  let token = 0;
  return new FakeServer({
    'POST /api/v1/auth/token/refresh': () => ({ data: { token: `token-${(token += 1)}` } }),
    'GET /api/v1/auth/user/me': { data: ada },
    'POST /api/v1/auth/user/signout': { data: { msg: 'Signed out' } },
    'GET /api/v1/plugins/web': { data: { generation: 1, plugins } },
    'GET /api/v1/user-storage': { data: {} },
  });
}

/** A server without any session. */
export function guestServer(plugins: readonly WebPluginEntry[] = []): FakeServer {
  return signedInServer(plugins)
    .on('POST /api/v1/auth/token/refresh', { status: 401, data: { msg: 'Missing refresh token' } })
    .on('GET /api/v1/auth/user/me', { data: { roles: { guest: true } } });
}
