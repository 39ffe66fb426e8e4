import { randomBytes, timingSafeEqual } from 'node:crypto';
import { defineErrors, type RegistryEntry, type RegistryView } from '@trellis/core';
import type { AuthProvider, SignIn } from '@trellis/sdk/server';
import type { AdapterCalls } from './adapter-calls.ts';

const signInErrors = defineErrors({
  AUTH_PROVIDER_ABSENT: { status: 404, message: "Nobody can sign in by '{provider}' here." },
  SIGN_IN_STALE: {
    status: 400,
    message: 'This sign-in was not begun in this browser, or too long ago. Please begin it again.',
  },
  EMAIL_NOT_VERIFIED: {
    status: 403,
    message: "{provider} does not vouch for the address '{email}', so nobody is signed in by it.",
  },
});

const limit = 30_000;

/** The data that a browser keeps between leaving for the provider and returning. */
interface Memory {
  readonly provider: string;
  readonly state: string;
  readonly verifier?: string;
}

/** See `SignIn`. */
export function createSignIn(deps: {
  readonly authProviders: RegistryView<AuthProvider>;
  readonly calls: AdapterCalls;
}): SignIn {
  const configured = () => deps.authProviders.entries().filter((entry) => deps.calls.isReady(entry));

  /** @throws TrellisError `AUTH_PROVIDER_ABSENT`. */
  function find(provider: string): RegistryEntry<AuthProvider> {
    const found = configured().find(({ item }) => item.id === provider);
    if (found === undefined) throw signInErrors.create('AUTH_PROVIDER_ABSENT', { provider });
    return found;
  }

  return {
    providers: () => configured().map(({ item: { id, label, icon } }) => ({ id, label, icon })),
    async start(provider, redirectUrl) {
      const { item, owner } = find(provider);
      const state = randomBytes(24).toString('base64url');
      const run = async (signal: AbortSignal) => {
        const { url, verifier } = await item.start({ redirectUrl, state }, { signal });
        if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
          throw new TypeError(`'${provider}' leads to no web address.`);
        return { url, verifier };
      };
      const { url, verifier } = await deps.calls.call({ owner, what: 'begin a sign-in', limit, run });
      const memory: Memory = { provider, state, ...(verifier !== undefined && { verifier }) };
      return { url, memory: Buffer.from(JSON.stringify(memory)).toString('base64url') };
    },
    async complete(provider, { query, redirectUrl, memory }) {
      const { item, owner } = find(provider);
      const begun = readMemory(memory);
      if (begun?.provider !== provider || !isSame(begun.state, query['state'] ?? ''))
        throw signInErrors.create('SIGN_IN_STALE');
      const back = { query, redirectUrl, verifier: begun.verifier };
      const run = (signal: AbortSignal) => item.callback(back, { signal });
      const identity = await deps.calls.call({ owner, what: 'complete a sign-in', limit, run });
      if (!identity.isVerified)
        throw signInErrors.create('EMAIL_NOT_VERIFIED', { provider: item.label, email: identity.email });
      return identity;
    },
  };
}

function readMemory(text: string | undefined): Memory | undefined {
  try {
    const memory = JSON.parse(Buffer.from(text ?? '', 'base64url').toString()) as Memory;
    return typeof memory.provider === 'string' && typeof memory.state === 'string' ? memory : undefined;
  } catch {
    return undefined;
  }
}

/** Takes the same time wherever the texts differ. */
function isSame(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && left.length > 0 && timingSafeEqual(left, right);
}
