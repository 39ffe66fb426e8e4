import { createHash, randomBytes } from 'node:crypto';
import type { AuthIdentity, Outbound, OutboundCall } from '@trellis/sdk/server';
import { defineErrors } from '@trellis/sdk/shared';

const githubErrors = defineErrors({
  GITHUB_UNREACHABLE: { status: 502, message: 'GitHub does not answer as expected at {server}.' },
  GITHUB_DECLINED: { status: 403, message: 'GitHub did not let you in, or you went back.' },
  GITHUB_REFUSED: {
    status: 502,
    message: 'GitHub refused this server. The client id or the client secret is not right.',
  },
  GITHUB_NO_EMAIL: {
    status: 403,
    message: 'Your GitHub account has no e-mail address that GitHub verified.',
  },
});

/** An OAuth app at GitHub. */
export interface GithubSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The address of a self-hosted server; empty for github.com. */
  readonly server: string;
}

/** Sign-in by OAuth 2 with GitHub, which has no OpenID Connect: its API returns the identity. */
export class GithubClient {
  readonly #outbound: Pick<Outbound, 'fetch'>;

  constructor(outbound: Pick<Outbound, 'fetch'>) {
    this.#outbound = outbound;
  }

  start(settings: GithubSettings, request: { readonly redirectUrl: string; readonly state: string }) {
    const verifier = randomBytes(32).toString('base64url');
    const url = new URL(`${siteOf(settings)}/login/oauth/authorize`);
    url.search = new URLSearchParams({
      client_id: settings.clientId,
      redirect_uri: request.redirectUrl,
      scope: 'read:user user:email',
      state: request.state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }).toString();
    return { url: url.href, verifier };
  }

  /** @throws TrellisError `GITHUB_...`, and what the outbound gate throws. */
  async callback(
    settings: GithubSettings,
    back: {
      readonly query: Readonly<Record<string, string>>;
      readonly redirectUrl: string;
      readonly verifier: string | undefined;
    },
    signal: AbortSignal,
  ): Promise<AuthIdentity> {
    const { code } = back.query;
    if (code === undefined) throw githubErrors.create('GITHUB_DECLINED');
    const token = await this.#exchange(settings, { ...back, code }, signal);
    const [user, emails] = await Promise.all([
      this.#read(settings, '/user', token, signal),
      this.#read(settings, '/user/emails', token, signal),
    ]);
    const email = primaryAddress(emails);
    if (!isRecord(user) || typeof user['id'] !== 'number')
      throw githubErrors.create('GITHUB_UNREACHABLE', { server: siteOf(settings) });
    if (email === undefined) throw githubErrors.create('GITHUB_NO_EMAIL');
    const name = typeof user['name'] === 'string' ? user['name'].slice(0, 200) : undefined;
    // The number never changes; a login can be given up and taken by somebody else.
    return {
      subject: String(user['id']),
      issuer: siteOf(settings),
      email,
      isVerified: true,
      ...(name !== undefined && { firstname: name }),
    };
  }

  /** Tests the id and the secret: GitHub reports a wrong code only to a known app. */
  async test(settings: GithubSettings, signal: AbortSignal): Promise<void> {
    const answer = await this.#exchangeAnswer(settings, { code: 'test' }, signal);
    if (answer['error'] !== 'bad_verification_code') throw githubErrors.create('GITHUB_REFUSED');
  }

  async #exchange(
    settings: GithubSettings,
    back: { readonly code: string; readonly redirectUrl: string; readonly verifier: string | undefined },
    signal: AbortSignal,
  ): Promise<string> {
    const fields = { code: back.code, redirect_uri: back.redirectUrl, code_verifier: back.verifier ?? '' };
    const answer = await this.#exchangeAnswer(settings, fields, signal);
    if (typeof answer['access_token'] === 'string') return answer['access_token'];
    throw githubErrors.create(
      answer['error'] === 'bad_verification_code' ? 'GITHUB_DECLINED' : 'GITHUB_REFUSED',
    );
  }

  async #exchangeAnswer(
    settings: GithubSettings,
    fields: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { clientId: client_id, clientSecret: client_secret } = settings;
    const answer = await this.#call(settings, `${siteOf(settings)}/login/oauth/access_token`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id, client_secret, ...fields }).toString(),
      signal,
    });
    if (!isRecord(answer)) throw githubErrors.create('GITHUB_UNREACHABLE', { server: siteOf(settings) });
    return answer;
  }

  #read(settings: GithubSettings, path: string, token: string, signal: AbortSignal): Promise<unknown> {
    return this.#call(settings, `${apiOf(settings)}${path}`, {
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'user-agent': 'Trellis',
        'x-github-api-version': '2022-11-28',
      },
      signal,
    });
  }

  async #call(settings: GithubSettings, url: string, call: Omit<OutboundCall, 'purpose'>): Promise<unknown> {
    const { status, body } = await this.#outbound.fetch(url, {
      purpose: 'sign-in',
      isSetBySuperAdmin: settings.server !== '',
      timeoutMs: 10_000,
      limit: 1_000_000,
      redirects: 0,
      ...call,
    });
    try {
      if (status < 400) return JSON.parse(Buffer.from(body).toString()) as unknown;
    } catch {
      // An answer without JSON does not come from GitHub: reported below.
    }
    throw githubErrors.create('GITHUB_UNREACHABLE', { server: siteOf(settings) });
  }
}

function siteOf({ server }: GithubSettings): string {
  return server === '' ? 'https://github.com' : server.replace(/\/+$/, '');
}

/** Self-hosted servers have their API below their own address. */
function apiOf(settings: GithubSettings): string {
  return settings.server === '' ? 'https://api.github.com' : `${siteOf(settings)}/api/v3`;
}

/** The primary address if GitHub verified it; otherwise another verified one. */
function primaryAddress(emails: unknown): string | undefined {
  const verified = (Array.isArray(emails) ? emails : [])
    .filter(isRecord)
    .filter((entry) => entry['verified'] === true && typeof entry['email'] === 'string');
  const chosen = verified.find((entry) => entry['primary'] === true) ?? verified[0];
  return chosen?.['email'] as string | undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
