import { defineErrors, TrellisError } from '../../shared/index.ts';
import { defineServerPlugin, type ServerPlugin } from '../context.ts';
import { OutboundToken, type Outbound, type OutboundAnswer } from '../outbound.ts';
import type { MailMessage } from './mail.ts';

const mailServiceErrors = defineErrors({
  MAIL_SERVICE_INCOMPLETE: { status: 400, message: 'The settings of {service} lack: {missing}.' },
  MAIL_SERVICE_UNREACHABLE: { status: 502, message: "{service} does not answer at '{host}'." },
  MAIL_SERVICE_KEY: {
    status: 502,
    message: '{service} does not accept the key, or the key may not send mail (status {status}).',
  },
  MAIL_SERVICE_SENDER: {
    status: 502,
    message:
      '{service} sends nothing from {from}: confirm this address or its domain there, and check the settings.',
  },
  MAIL_SERVICE_RECIPIENT: {
    status: 502,
    message:
      '{service} sends nothing to this address: it was refused before, or the account may not write to it yet.',
  },
  MAIL_SERVICE_PAUSED: {
    status: 502,
    message: '{service} sends nothing for this account at the moment; its page there says why.',
  },
  MAIL_SERVICE_TOO_LARGE: { status: 413, message: 'The mail is larger than {service} takes.' },
  MAIL_SERVICE_BUSY: { status: 503, message: '{service} takes no more mails for now (status {status}).' },
  MAIL_SERVICE_CLOCK: {
    status: 502,
    message: 'The clock of this server is off, so that {service} refuses its calls. Set the clock.',
  },
  MAIL_SERVICE_REFUSED: { status: 502, message: '{service} refused the mail (status {status}, {code}).' },
});

/** Why a service refuses a mail. @public */
export type MailServiceProblem =
  'key' | 'sender' | 'recipient' | 'paused' | 'too-large' | 'busy' | 'clock' | 'refused';

const codes = {
  key: 'MAIL_SERVICE_KEY',
  sender: 'MAIL_SERVICE_SENDER',
  recipient: 'MAIL_SERVICE_RECIPIENT',
  paused: 'MAIL_SERVICE_PAUSED',
  'too-large': 'MAIL_SERVICE_TOO_LARGE',
  busy: 'MAIL_SERVICE_BUSY',
  clock: 'MAIL_SERVICE_CLOCK',
  refused: 'MAIL_SERVICE_REFUSED',
} as const;

/** The settings of a mail service's plugin: texts by name, trimmed, empty if unset. @public */
export type MailServiceSettings = Readonly<Record<string, string>>;

/** A call to the service. @public */
export interface MailServiceCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A refusal, with what the service says about it. @public */
export interface MailServiceRefusal {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body if it is JSON; otherwise undefined. */
  readonly answer: unknown;
}

/** A service that accepts mail over HTTP. @public */
export interface MailService {
  /** The id of its mail adapter. */
  readonly id: string;
  /** Its name. */
  readonly label: string;
  /** The settings that sending requires, with their names in messages. Each service has `from`, the sender's address. */
  readonly needs: Readonly<Record<string, string>>;
  /** The call that sends a mail. */
  send(
    this: void,
    message: MailMessage,
    settings: MailServiceSettings,
  ): MailServiceCall | Promise<MailServiceCall>;
  /** A call that succeeds if mail could be sent; it sends none. */
  check(this: void, settings: MailServiceSettings): MailServiceCall | Promise<MailServiceCall>;
  /** A problem that a successful answer to the check reveals. */
  objection?(this: void, answer: unknown): MailServiceProblem | undefined;
  /** The meaning of a refusal; undefined derives it from the status. */
  problemOf?(this: void, refusal: MailServiceRefusal): MailServiceProblem | undefined;
  /** The service's code for a refusal: a few letters or digits, which messages quote. */
  codeOf?(this: void, refusal: MailServiceRefusal): unknown;
}

/** The most bytes of a service's answer. */
const longestAnswer = 256 * 1024;
const timeoutMs = 25_000;

/**
 * The server half of a plugin for a mail service: an adapter of `mailAdapters` and the Test button. It throws `MAIL_SERVICE_...`
 * with one of a few fixed sentences. It never shows the service's answer, since a person who sets the address could otherwise read
 * what any server there returns.
 * @public
 */
export function defineMailService(service: MailService): ServerPlugin {
  return defineServerPlugin({
    setup(ctx) {
      const outbound = ctx.get(OutboundToken);
      const current = () => readSettings(ctx.settings.current);
      ctx.register('mailAdapters', {
        id: service.id,
        label: service.label,
        isConfigured: () => missingIn(service, current()).length === 0,
        async send(message, { signal }) {
          const settings = complete(service, current());
          await call(outbound, { service, settings, request: await service.send(message, settings), signal });
        },
        verify: ({ signal }) => verify(outbound, service, current(), signal),
      });
    },
    async test(ctx, values) {
      await verify(ctx.get(OutboundToken), service, readSettings(values), ctx.signal);
      return { ok: true, message: `${service.label} takes mails of this sender.` };
    },
  });
}

/**
 * A name and an address in the form of a header: `"Ann, of \"Tables\"" <ann@example.com>`.
 *
 * @param name empty for none; a name beyond plain ASCII is encoded (RFC 2047), which every service accepts
 * @public
 */
export function mailbox(name: string, address: string): string {
  const plain = name.replace(/[\p{C}\s]+/gu, ' ').trim();
  if (plain === '') return address;
  const word = /^[\x20-\x7e]+$/.test(plain)
    ? `"${plain.replace(/["\\]/g, '\\$&')}"`
    : encodedWords(plain).join(' ');
  return `${word} <${address}>`;
}

/** Encoded words of at most 75 characters, none of which splits a character. */
function encodedWords(text: string): readonly string[] {
  const most = 45;
  const words: string[] = [];
  let part = '';
  const end = () => words.push(`=?UTF-8?B?${Buffer.from(part, 'utf8').toString('base64')}?=`);
  for (const character of text) {
    if (part !== '' && Buffer.byteLength(part + character) > most) {
      end();
      part = '';
    }
    part += character;
  }
  end();
  return words;
}

function readSettings(values: Readonly<Record<string, unknown>>): MailServiceSettings {
  const texts = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : '',
  ]);
  return Object.fromEntries(texts) as MailServiceSettings;
}

function missingIn({ needs }: MailService, settings: MailServiceSettings): readonly string[] {
  return Object.entries(needs).flatMap(([name, label]) => ((settings[name] ?? '') === '' ? [label] : []));
}

function complete(service: MailService, settings: MailServiceSettings): MailServiceSettings {
  const missing = missingIn(service, settings);
  if (missing.length === 0) return settings;
  throw mailServiceErrors.create('MAIL_SERVICE_INCOMPLETE', {
    service: service.label,
    missing: missing.join(', '),
  });
}

async function verify(
  outbound: Outbound,
  service: MailService,
  values: MailServiceSettings,
  signal: AbortSignal,
): Promise<void> {
  const settings = complete(service, values);
  const answer = await call(outbound, { service, settings, request: await service.check(settings), signal });
  const problem = service.objection?.(jsonOf(answer));
  if (problem !== undefined) throw toError(problem, { service, settings, status: answer.status });
}

async function call(
  outbound: Outbound,
  made: {
    readonly service: MailService;
    readonly settings: MailServiceSettings;
    readonly request: MailServiceCall;
    readonly signal: AbortSignal;
  },
): Promise<OutboundAnswer> {
  const { service, settings, request, signal } = made;
  const { url, ...rest } = request;
  const answer = await outbound
    .fetch(url, {
      ...rest,
      purpose: 'mail',
      // Set by a super admin, like a mail server: it may be a relay within their network.
      isSetBySuperAdmin: true,
      // A redirect would pass the key on.
      redirects: 0,
      limit: longestAnswer,
      timeoutMs,
      signal,
    })
    .catch((error: unknown) => {
      signal.throwIfAborted();
      throw toConnectionError(error, service, url);
    });
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return answer;
  const refusal = { status, headers, answer: jsonOf(answer) };
  const code = shortCode(service.codeOf?.(refusal));
  throw toError(service.problemOf?.(refusal) ?? problemOfStatus(status), { service, settings, status, code });
}

function problemOfStatus(status: number): MailServiceProblem {
  if (status === 401 || status === 403) return 'key';
  if (status === 413) return 'too-large';
  if (status === 429 || status >= 500) return 'busy';
  return 'refused';
}

function toError(
  problem: MailServiceProblem,
  told: {
    readonly service: MailService;
    readonly settings: MailServiceSettings;
    readonly status: number;
    readonly code?: string;
  },
): TrellisError {
  const { service, settings, status, code = 'unknown' } = told;
  const params = { service: service.label, from: settings['from'] ?? '', status, code };
  return mailServiceErrors.create(codes[problem], params);
}

/** Errors of the outbound gate already explain what to do. */
function toConnectionError(error: unknown, service: MailService, url: string): unknown {
  if (!(error instanceof TrellisError) || !/^OUTBOUND_(?:FAILED|TIMEOUT|HOST_UNKNOWN)$/.test(error.code))
    return error;
  const host = URL.canParse(url) ? new URL(url).host : '';
  return mailServiceErrors.create('MAIL_SERVICE_UNREACHABLE', { service: service.label, host }, error);
}

function jsonOf({ body }: OutboundAnswer): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8')) as unknown;
  } catch {
    // A proxy in between may answer in HTML.
    return undefined;
  }
}

function shortCode(code: unknown): string {
  const text = typeof code === 'string' || typeof code === 'number' ? String(code) : '';
  return /^[A-Za-z0-9_]{1,60}$/.test(text) ? text : 'unknown';
}
