import {
  AccessServiceToken,
  chainHeader,
  createMailRecipients,
  drainAnswer,
  filledChannelSettings,
  finalOf,
  MailerToken,
  mailSubject,
  ProjectMailsToken,
  NotifierToken,
  OutboundToken,
  renderRequest,
  retryAfterIn,
  retryAfterOf,
  toSentRequest,
  VariablesToken,
  type AccessScope,
  type FinalRefusal,
  type ServerPluginContext,
  type SignedChains,
  type UsedVariables,
} from '@trellis/sdk/server';
import {
  fillTemplate,
  templateBudget,
  TrellisError,
  type RequestTemplate,
  type SentRequest,
  type TemplateValues,
} from '@trellis/sdk/shared';
import { mailType, type HookNotification } from '../shared/index.ts';
import type { Hook } from './hook-store.ts';
import { hookErrors } from './hook-errors.ts';
import { channelOf, settingsIn } from './channels.ts';
import { signatureOf } from './sign.ts';

/** One message of a webhook. */
export interface Message {
  readonly hook: Pick<Hook, 'id' | 'projectId' | 'secrets'> & { readonly title: string };
  readonly notification: HookNotification;
  readonly values: TemplateValues;
  /** The scope of the person who tries it, whose variables it may use. Absent for a stored webhook, which uses its project's. */
  readonly scope?: AccessScope;
  readonly eventId: string;
  readonly attempt: number;
  /** Nothing happened: somebody tries the webhook. */
  readonly isTry?: boolean;
}

/** The result of a message. */
export interface Sent {
  readonly request: SentRequest | undefined;
  /** The status of the answer; undefined if there was none. */
  readonly status: number | undefined;
  /** Why it did not arrive; undefined if it did. */
  readonly error: string | undefined;
  /** Milliseconds after which the receiver wants the next try. */
  readonly retryAfterMs: number | undefined;
  /** What a final refusal makes useless, so that no retry helps. */
  readonly final?: FinalRefusal | undefined;
  readonly durationMs: number;
}

const timeoutMs = 10_000;
/** The most bytes of an answer: nobody reads it, and most are short. */
const longestAnswer = 256 * 1024;
const shownBody = 16_384;
const longestError = 500;

export type Send = (message: Message, signal: AbortSignal) => Promise<Sent>;

/** Creates the sender of messages: to an address, by mail, or over the channel of a plugin. */
export function createSend(ctx: ServerPluginContext, chains: SignedChains): Send {
  const outbound = ctx.get(OutboundToken);
  const notifier = ctx.get(NotifierToken);
  const mailer = ctx.get(MailerToken);
  const mails = ctx.get(ProjectMailsToken);
  const variables = ctx.get(VariablesToken);
  const access = ctx.get(AccessServiceToken);
  const recipients = createMailRecipients(ctx);

  async function toAddress(
    message: Message,
    { env, mask }: UsedVariables,
    { signal, sent }: { readonly signal: AbortSignal; readonly sent: (request: SentRequest) => void },
  ) {
    const { hook, notification, eventId, attempt } = message;
    const values: TemplateValues = { ...message.values, env };
    const { method, url, headers, body } = renderRequest(
      notification.payload as unknown as RequestTemplate,
      values,
    );
    const { event } = values as {
      readonly event?: {
        readonly type?: string;
        readonly sequence?: number;
        readonly count?: number;
        readonly chain?: readonly string[];
      };
    };
    const all = {
      'user-agent': 'Trellis-Webhook',
      ...headers,
      'x-trellis-hook-id': hook.id,
      'x-trellis-event-id': eventId,
      'x-trellis-event': event?.type ?? '',
      'x-trellis-sequence': String(event?.sequence ?? 0),
      ...(event?.count !== undefined && { 'x-trellis-count': String(event.count) }),
      'x-trellis-attempt': String(attempt),
      [chainHeader]: chains.write([...(event?.chain ?? []), hook.id]),
      'x-trellis-signature': signatureOf(hook.secrets, body ?? '', Date.now()),
    };
    sent(toSentRequest({ method, url, headers: all, body }, mask));
    const answer = await outbound.open(url, {
      purpose: 'webhook',
      method,
      headers: all,
      ...(body !== undefined && { body }),
      timeoutMs,
      limit: longestAnswer,
      redirects: 3,
      mustArrive: true,
      // Receivers recognise a repetition by the id of its event.
      mayRepeat: true,
      signal,
    });
    // The status tells whether it arrived, even if the rest of the answer fails.
    await drainAnswer(answer.stream);
    return { status: answer.status, retryAfterMs: retryAfterIn(answer.headers) };
  }

  async function byChannel(
    message: Message,
    { env, mask }: UsedVariables,
    sent: (request: SentRequest) => void,
  ) {
    const { notification, eventId, isTry } = message;
    const values: TemplateValues = { ...message.values, env };
    const { type, payload } = notification;
    const budget = templateBudget();
    const fill = (text: unknown) => {
      try {
        return typeof text === 'string' ? fillTemplate(text, values, undefined, budget) : '';
      } catch (error) {
        if (error instanceof RangeError) throw hookErrors.create('HOOK_TEXT_LONG', { final: 'message' });
        throw error;
      }
    };
    const body = fill(payload.body);
    sent({ method: type, url: '', headers: {}, body: mask(body).slice(0, shownBody) });
    if (type === mailType) {
      // A try does not fail because this server has no mail; real events wait until it has.
      if (isTry === true && !mailer.isConfigured()) return;
      const to = await recipients(payload.to, fill, message.hook.projectId);
      if (to === undefined) throw hookErrors.create('HOOK_SEVERAL', { final: 'message' });
      await mails.send(message.hook.projectId, {
        to,
        subject: mailSubject(fill(payload.subject)),
        text: body,
      });
      return;
    }
    const settings = filledChannelSettings(settingsIn(payload), fill);
    const channel = channelOf(notifier, type);
    if (channel === undefined) throw hookErrors.create('HOOK_TYPE', { type });
    await notifier.send(channel.id, settings, {
      id: eventId,
      title: '',
      text: body,
      payload: message.values,
    });
  }

  return async (message, signal) => {
    const begun = performance.now();
    let request: SentRequest | undefined;
    let status: number | undefined;
    let error: string | undefined;
    let retryAfterMs: number | undefined;
    let final: FinalRefusal | undefined;
    const keep = (sent: SentRequest) => {
      request = sent;
    };
    let hide: UsedVariables['mask'] = (shown) => shown;
    try {
      const { hook, notification } = message;
      const scope = message.scope ?? access.systemScope(hook.projectId, `webhook:${hook.id}`);
      const used = await variables.usedIn(notification.payload, scope);
      hide = used.mask;
      if (notification.type === 'URL') {
        const answer = await toAddress(message, used, { signal, sent: keep });
        status = answer.status;
        if (status >= 300) error = hookErrors.create('HOOK_ANSWER', { status }).message;
        retryAfterMs = answer.retryAfterMs;
      } else await byChannel(message, used, keep);
    } catch (reason) {
      // A fixed text: a library's message may name addresses of this network.
      error = reason instanceof TrellisError ? reason.message : 'The message could not be sent.';
      if (!(reason instanceof TrellisError)) ctx.logger.warn('A webhook failed', { error: reason });
      final = finalOf(reason);
      const wait = retryAfterOf(reason);
      if (wait > 0) retryAfterMs = wait;
    }
    return {
      request,
      status,
      // A receiver's answer may repeat the request.
      error: error && hide(error).slice(0, longestError),
      retryAfterMs,
      final,
      durationMs: Math.round(performance.now() - begun),
    };
  };
}
