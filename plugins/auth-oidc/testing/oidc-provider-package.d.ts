declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  /** The used part of the package, which has no types. */
  export default class Provider {
    constructor(
      issuer: string,
      options: {
        readonly clients: readonly Readonly<Record<string, unknown>>[];
        readonly claims: Readonly<Record<string, readonly string[]>>;
        readonly findAccount: (
          context: unknown,
          id: string,
        ) => { readonly accountId: string; claims(): Readonly<Record<string, unknown>> };
        readonly pkce: { readonly required: () => boolean };
        readonly cookies: { readonly keys: readonly string[] };
      },
    );
    callback(): RequestListener;
  }
}
