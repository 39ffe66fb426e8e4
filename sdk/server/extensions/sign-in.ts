import { createToken } from '../../shared/index.ts';
import type { Account } from '../services.ts';
import type { AdapterCall } from './mail.ts';

/** A person's identity, as stated by a provider. @public */
export interface AuthIdentity {
  /** The provider's own, permanent id of the person. */
  readonly subject: string;
  /** The issuer of the subjects, if the provider's settings choose it: with another issuer, the same subject is another person. */
  readonly issuer?: string;
  readonly email: string;
  /** Whether the provider has verified that the address belongs to the person; otherwise nobody is signed in. */
  readonly isVerified: boolean;
  readonly firstname?: string;
  readonly lastname?: string;
}

/** Another way to sign in, for the registry `authProviders`: a company's directory, an account elsewhere. @public */
export interface AuthProvider {
  readonly id: string;
  readonly label: string;
  /** A primeicons name without the `pi-` prefix. */
  readonly icon?: string;
  isConfigured(): boolean;
  /**
   * The address to send the browser to. The provider must send it back to `redirectUrl` with `state` unchanged. `callback` gets
   * `verifier` (PKCE, a nonce) again.
   */
  start(
    request: { readonly redirectUrl: string; readonly state: string },
    call: AdapterCall,
  ): Promise<{ readonly url: string; readonly verifier?: string }>;
  /** Reads the parameters that the browser brings back; their `state` has been checked. People see the message of a `TrellisError`. */
  callback(
    request: {
      readonly query: Readonly<Record<string, string>>;
      readonly redirectUrl: string;
      readonly verifier: string | undefined;
    },
    call: AdapterCall,
  ): Promise<AuthIdentity>;
}

/**
 * Something that a person does between proving who they are and the start of their session, for the registry `signInSteps`: a code of
 * a second device. The first step that is due is asked for. Sessions that have begun and API tokens are not touched. Its page is the
 * item with the same id in the registry `signInSteps` of the web.
 * @public
 */
export interface SignInStep {
  readonly id: string;
  /** @param way how the person proved their identity. An error refuses the sign-in. */
  isDue(account: Account, way: 'password' | 'provider'): Promise<boolean>;
  /** The data for the page; may be called again before `finish`. */
  begin(account: Account): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Checks what the person answered. Throws a `TrellisError` for a wrong answer, and limits guesses itself.
   * @returns what the person must be shown before they go on; an empty object for nothing
   */
  finish(
    account: Account,
    answer: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>>;
}

/**
 * Signing in elsewhere, for who owns accounts and sessions. Throws 404 `AUTH_PROVIDER_ABSENT` for a provider that is not there or
 * not configured, 400 `SIGN_IN_STALE` for a return that nobody began in this browser, 403 `EMAIL_NOT_VERIFIED`, 502 `ADAPTER_FAILED`,
 * 504 `ADAPTER_TIMEOUT`.
 * @beta
 */
export interface SignIn {
  /** The configured providers. */
  providers(): readonly Pick<AuthProvider, 'id' | 'label' | 'icon'>[];
  /** `memory` is for this browser alone, and comes back with `complete`. */
  start(providerId: string, redirectUrl: string): Promise<{ readonly url: string; readonly memory: string }>;
  complete(
    providerId: string,
    back: {
      readonly query: Readonly<Record<string, string>>;
      readonly redirectUrl: string;
      readonly memory: string | undefined;
    },
  ): Promise<AuthIdentity>;
}
/** Signing in elsewhere. @beta */
export const SignInToken = createToken<SignIn>('sign-in');
