import { defineErrors } from '@trellis/sdk/shared';

export const oidcErrors = defineErrors({
  OIDC_INCOMPLETE: { status: 400, message: "The provider's address and the client id are missing." },
  OIDC_INSECURE: { status: 400, message: "The provider's address must begin with https://." },
  OIDC_UNREACHABLE: {
    status: 502,
    message: 'No OpenID provider answers at {issuer}. Its address, or the network, is not right.',
  },
  OIDC_DECLINED: { status: 403, message: 'The provider did not let you in, or you went back.' },
  OIDC_UNTRUSTED: {
    status: 502,
    message: 'The answer of the provider cannot be trusted. Its client id or secret may not be right.',
  },
  OIDC_NO_EMAIL: { status: 403, message: 'The provider told no e-mail address, and an account needs one.' },
});
