import {
  assertRequestBody,
  chainHeader,
  createCheckAddress,
  drainAnswer,
  OutboundToken,
  readRequestTemplate,
  renderRequest,
  retryAfterIn,
  SecretsToken,
  SignedChains,
  toSentRequest,
  type AutomationStep,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { SentRequest } from '@trellis/sdk/shared';
import { addressCall, firstBody } from '../../shared/index.ts';
import { automationErrors } from '../automation-errors.ts';

const timeoutMs = 15_000;
/** The most bytes of an answer, which is discarded. */
const longestAnswer = 256 * 1024;

/** Calls an address. Only the status of the answer is shown, so that content from inside a network is not exposed. */
export function callAddressStep(ctx: ServerPluginContext): AutomationStep {
  const outbound = ctx.get(OutboundToken);
  const chains = new SignedChains(ctx.get(SecretsToken));
  const checkAddress = createCheckAddress(ctx, 'automation');
  return {
    ...addressCall,
    check: (settings) => assertRequestBody(readRequestTemplate(settings, firstBody)),
    willSave: ({ path }) => checkAddress(String(path)),
    prepare({ settings, values, chain, mask, idempotencyKey, signal }) {
      const { method, url, headers, body } = renderRequest(readRequestTemplate(settings, firstBody), values);
      const all = {
        'user-agent': 'Trellis-Automation',
        ...headers,
        'idempotency-key': idempotencyKey,
      };
      return Promise.resolve({
        // The key is no secret: it distinguishes requests.
        shown: withKey(toSentRequest({ method, url, headers: all, body }, mask), idempotencyKey),
        expected: { status: 200 },
        async take() {
          const answer = await outbound.open(url, {
            purpose: 'automation',
            method,
            headers: { ...all, [chainHeader]: chains.write(chain) },
            ...(body !== undefined && { body }),
            timeoutMs,
            limit: longestAnswer,
            redirects: 3,
            mustArrive: true,
            signal,
          });
          // The status tells whether it arrived, even if the rest of the answer fails.
          await drainAnswer(answer.stream);
          const { status } = answer;
          const retryAfterMs = retryAfterIn(answer.headers);
          if (status >= 500 || status === 429)
            throw automationErrors.create('AUTOMATION_ANSWER_LATER', { status, retryAfterMs });
          if (status >= 300) throw automationErrors.create('AUTOMATION_ANSWER', { status });
          return { output: { status } };
        },
      });
    },
  };
}

function withKey(request: SentRequest, key: string): SentRequest {
  return { ...request, headers: { ...request.headers, 'idempotency-key': key } };
}
