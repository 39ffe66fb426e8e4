import { jwtVerify } from 'jose';
import * as openid from 'openid-client';
import type { Outbound } from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import type { OidcClient, OidcIdentity, OidcSettings } from '../shared/index.ts';
import { gatedFetch } from './gated-fetch.ts';
import { oidcErrors } from './oidc-errors.ts';

/** Milliseconds for which a provider's metadata are cached. */
const lifetime = 10 * 60_000;
const scope = 'openid email profile';
/** The only algorithm with which providers sign by a shared secret. */
const bySecret = 'HS256';

/** The data that the browser keeps between leaving for the provider and returning. */
interface Checks {
  readonly pkce: string;
  readonly nonce: string;
}

interface Known {
  readonly key: string;
  readonly until: number;
  readonly provider: openid.Configuration;
}

/** `OidcClient` with the package openid-client. Caches the metadata of the last provider. */
export class OpenidOidcClient implements OidcClient {
  readonly #outbound: Pick<Outbound, 'fetch'>;
  readonly #onFailure: (error: unknown) => void;
  #known: Known | undefined;

  constructor(outbound: Pick<Outbound, 'fetch'>, onFailure: (error: unknown) => void = () => {}) {
    this.#outbound = outbound;
    this.#onFailure = onFailure;
  }

  async start(
    settings: OidcSettings,
    { redirectUrl, state }: Parameters<OidcClient['start']>[1],
    signal: AbortSignal,
  ) {
    const provider = await this.#find(settings, signal);
    const checks: Checks = { pkce: openid.randomPKCECodeVerifier(), nonce: openid.randomNonce() };
    const url = openid.buildAuthorizationUrl(provider, {
      ...settings.parameters,
      redirect_uri: redirectUrl,
      scope,
      state,
      nonce: checks.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(checks.pkce),
      code_challenge_method: 'S256',
    });
    return { url: url.href, verifier: JSON.stringify(checks) };
  }

  async callback(
    settings: OidcSettings,
    { query, redirectUrl, verifier }: Parameters<OidcClient['callback']>[1],
    signal: AbortSignal,
  ): Promise<OidcIdentity> {
    const provider = await this.#find(settings, signal);
    const { pkce, nonce } = JSON.parse(verifier ?? '{}') as Partial<Checks>;
    const back = new URL(redirectUrl);
    back.search = new URLSearchParams(query).toString();
    try {
      const tokens = await openid.authorizationCodeGrant(provider, back, {
        pkceCodeVerifier: pkce ?? '',
        expectedNonce: nonce ?? '',
        // The host has compared it already; the package requires it for its own check.
        expectedState: query['state'] ?? '',
        idTokenExpected: true,
      });
      const told = tokens.claims();
      if (settings.isSignedBySecret === true) await verifyBySecret(tokens.id_token ?? '', settings);
      if (told === undefined) throw oidcErrors.create('OIDC_UNTRUSTED');
      const asked =
        told['email'] === undefined && provider.serverMetadata().userinfo_endpoint !== undefined
          ? await openid.fetchUserInfo(provider, tokens.access_token, told.sub)
          : {};
      return identityOf({ ...asked, ...told }, settings);
    } catch (error) {
      throw this.#toError(error);
    }
  }

  async test(settings: OidcSettings, signal: AbortSignal): Promise<void> {
    this.#known = undefined;
    await this.#find(settings, signal);
  }

  /** @throws TrellisError `OIDC_INCOMPLETE`, `OIDC_INSECURE`, `OIDC_UNREACHABLE`. */
  async #find(settings: OidcSettings, signal: AbortSignal): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret, isSignedBySecret = false } = settings;
    const key = JSON.stringify([issuer, clientId, clientSecret, isSignedBySecret]);
    if (this.#known?.key === key && this.#known.until > Date.now()) return this.#known.provider;
    const provider = await this.#discover(settings, signal);
    this.#known = { key, until: Date.now() + lifetime, provider };
    return provider;
  }

  async #discover(
    { issuer, clientId, clientSecret, isSignedBySecret = false }: OidcSettings,
    signal: AbortSignal,
  ) {
    const isComplete = URL.canParse(issuer) && clientId !== '' && !(isSignedBySecret && clientSecret === '');
    if (!isComplete) throw oidcErrors.create('OIDC_INCOMPLETE');
    const address = new URL(issuer);
    const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname);
    if (address.protocol !== 'https:' && !isLoopback) throw oidcErrors.create('OIDC_INSECURE');
    try {
      const auth = clientSecret === '' ? openid.None() : secretAuth(clientSecret);
      const metadata = isSignedBySecret ? { id_token_signed_response_alg: bySecret } : {};
      const provider = await openid.discovery(address, clientId, metadata, auth, {
        execute: [
          // An eavesdropper between this server and the provider cannot forge a token. The package does not verify signatures by a
          // secret.
          ...(isSignedBySecret ? [] : [openid.enableNonRepudiationChecks]),
          ...(isLoopback ? [openid.allowInsecureRequests] : []),
        ],
        [openid.customFetch]: gatedFetch(this.#outbound, address),
        timeout: 10,
      });
      signal.throwIfAborted();
      return provider;
    } catch (error) {
      signal.throwIfAborted();
      this.#onFailure(error);
      const gate = refusalOf(error);
      if (gate !== undefined && gate.status < 500) throw gate;
      throw oidcErrors.create('OIDC_UNREACHABLE', { issuer });
    }
  }

  #toError(error: unknown): TrellisError {
    const known = refusalOf(error);
    if (known !== undefined) return known;
    if (error instanceof openid.AuthorizationResponseError) return oidcErrors.create('OIDC_DECLINED');
    this.#onFailure(error);
    return oidcErrors.create('OIDC_UNTRUSTED');
  }
}

/** Rejects if the token is not signed with the secret. */
async function verifyBySecret(token: string, { clientSecret }: OidcSettings): Promise<void> {
  await jwtVerify(token, new TextEncoder().encode(clientSecret), { algorithms: [bySecret] });
}

/** The gate's error inside the package's error. */
function refusalOf(error: unknown): TrellisError | undefined {
  if (error instanceof TrellisError) return error;
  return error instanceof Error && error.cause !== undefined ? refusalOf(error.cause) : undefined;
}

/** In the header, as the standard prefers; in the body for providers that only accept it there. */
function secretAuth(secret: string): openid.ClientAuth {
  const [basic, post] = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const way = methods.includes('client_secret_basic') ? basic : post;
    way(server, client, body, headers);
  };
}

/** @throws TrellisError `OIDC_NO_EMAIL`, and `OIDC_UNTRUSTED` for an empty subject: all such identities would be one person. */
function identityOf(claims: Readonly<Record<string, unknown>>, settings: OidcSettings): OidcIdentity {
  const text = (key: string) => (typeof claims[key] === 'string' ? claims[key] : undefined);
  const [subject = '', email] = [text('sub'), text('email')];
  if (subject === '') throw oidcErrors.create('OIDC_UNTRUSTED');
  if (email === undefined) throw oidcErrors.create('OIDC_NO_EMAIL');
  const issuer = text('iss');
  const [firstname, lastname] = [text('given_name') ?? text('name'), text('family_name')];
  return {
    subject,
    ...(issuer !== undefined && { issuer }),
    email,
    isVerified: settings.trustsAddresses || claims['email_verified'] === true,
    ...(firstname !== undefined && { firstname: firstname.slice(0, 200) }),
    ...(lastname !== undefined && { lastname: lastname.slice(0, 200) }),
    claims,
  };
}
