import { createToken, type PlatformAbortSignal } from '@trellis/sdk/shared';

/** A registration at an OpenID provider. */
export interface OidcSettings {
  /** The provider's address, which `/.well-known/openid-configuration` follows. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** For providers that do not mark addresses as verified, because they issued them themselves. */
  readonly trustsAddresses: boolean;
  /** For providers that sign their tokens with the client secret (HS256) instead of a key pair. */
  readonly isSignedBySecret?: boolean;
  /** Further parameters of the provider's address for the browser. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** The identity in an ID token. */
export interface OidcIdentity {
  readonly subject: string;
  readonly email: string;
  readonly isVerified: boolean;
  readonly firstname?: string;
  readonly lastname?: string;
  /** All claims, for rules of single providers. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * The code flow of OpenID Connect with PKCE and nonce, for plugins of single providers. Throws 400 `OIDC_INCOMPLETE`, 502
 * `OIDC_UNREACHABLE`, 403 `OIDC_DECLINED`, 502 `OIDC_UNTRUSTED`, 403 `OIDC_NO_EMAIL`, and the errors of the outbound gate.
 */
export interface OidcClient {
  start(
    settings: OidcSettings,
    request: { readonly redirectUrl: string; readonly state: string },
    signal: PlatformAbortSignal,
  ): Promise<{ readonly url: string; readonly verifier: string }>;
  callback(
    settings: OidcSettings,
    back: {
      readonly query: Readonly<Record<string, string>>;
      readonly redirectUrl: string;
      readonly verifier: string | undefined;
    },
    signal: PlatformAbortSignal,
  ): Promise<OidcIdentity>;
  /** Reads the provider's metadata and nothing else: only a sign-in tests the secret. */
  test(settings: OidcSettings, signal: PlatformAbortSignal): Promise<void>;
}

/** Sign-in by OpenID Connect. */
export const OidcClientToken = createToken<OidcClient>('oidc-client');
