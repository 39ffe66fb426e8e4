import { createToken, type PlatformAbortSignal } from '@trellis/sdk/shared';

/** A registration at an OpenID provider. */
export interface OidcSettings {
  /** The provider's address, under which `/.well-known/openid-configuration` is found. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** For providers that do not say which addresses they have checked, because they gave them out themselves. */
  readonly trustsAddresses: boolean;
  /** For providers that sign their tokens with the client secret (HS256) instead of a key of theirs. */
  readonly isSignedBySecret?: boolean;
  /** Further parameters of the address that the browser is sent to. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** Who signed in, as an ID token says. */
export interface OidcIdentity {
  readonly subject: string;
  readonly email: string;
  readonly isVerified: boolean;
  readonly firstname?: string;
  readonly lastname?: string;
  /** All that the provider told, for rules of one provider. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * The code flow of OpenID Connect with PKCE and nonce, for plugins of single providers. Throws 400 `OIDC_INCOMPLETE`, 502
 * `OIDC_UNREACHABLE`, 403 `OIDC_DECLINED`, 502 `OIDC_UNTRUSTED`, 403 `OIDC_NO_EMAIL`, and what the outbound gate throws.
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
  /** Reads what the provider tells of itself, and nothing else: a secret is first tried by a sign-in. */
  test(settings: OidcSettings, signal: PlatformAbortSignal): Promise<void>;
}

/** Sign-in by OpenID Connect. */
export const OidcClientToken = createToken<OidcClient>('oidc-client');
