import {
  defineRoute,
  OutboundToken,
  RateLimiterToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { JsonSchema } from '@trellis/sdk/shared';

interface Pair {
  readonly name?: string;
  readonly value?: string | number | boolean | null;
  readonly enabled?: boolean;
}

interface ImportBody {
  readonly apiMeta: {
    readonly url: string;
    readonly method?: string;
    readonly headers?: readonly Pair[];
    readonly parameters?: readonly Pair[];
  };
}

const megabyte = 1024 * 1024;
const texts = /\.csv$/i;
const spreadsheets = /\.(xlsx?|xlsm|ods|ots)$/i;
/** The most bytes that are read; a spreadsheet is returned as a list of numbers, several times as large. */
const limits = { text: 20 * megabyte, spreadsheet: 5 * megabyte };
const timeoutMs = 30_000;
const rate = { name: 'import-by-address', limit: 60, windowSeconds: 3600 };

const text = (maxLength: number): JsonSchema => ({ type: 'string', maxLength });
const pairs: JsonSchema = {
  type: 'array',
  maxItems: 50,
  items: {
    type: 'object',
    properties: {
      name: text(200),
      value: { type: ['string', 'number', 'boolean', 'null'] },
      enabled: { type: 'boolean' },
    },
  },
};
const body: JsonSchema = {
  type: 'object',
  required: ['apiMeta'],
  properties: {
    apiMeta: {
      type: 'object',
      required: ['url'],
      properties: { url: text(2000), method: text(10), headers: pairs, parameters: pairs },
    },
  },
};

/** Fetches a text table or a spreadsheet for an import, since a browser may not read it from another site. */
export function importRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const outbound = ctx.get(OutboundToken);
  const limiter = ctx.get(RateLimiterToken);
  return [
    defineRoute<Record<string, string>, Record<string, unknown>, ImportBody>({
      method: 'POST',
      path: '/api/v1/db/meta/axiosRequestMake',
      permission: 'signedIn',
      summary:
        'Fetch a CSV file or a spreadsheet for an import; anything else is answered with an empty object',
      schemas: { body },
      seconds: 60,
      async handle({ body: { apiMeta }, principal, signal }) {
        const url = addressOf(apiMeta);
        const isText = url !== undefined && texts.test(url.pathname);
        const isSheet = url !== undefined && spreadsheets.test(url.pathname);
        if (url === undefined || !(isText || isSheet)) return {};
        await limiter.consume(rate, principal.id);
        const answer = await outbound.fetch(url.href, {
          purpose: 'import by address',
          headers: Object.fromEntries(enabled(apiMeta.headers).filter(isPlainHeader)),
          limit: isText ? limits.text : limits.spreadsheet,
          timeoutMs,
          signal,
        });
        if (answer.status < 200 || answer.status > 299) return {};
        return isText ? Buffer.from(answer.body).toString('utf8') : Buffer.from(answer.body).toJSON();
      },
    }),
  ];
}

/** Undefined for anything but a web address, and for a call that would change something there. */
function addressOf({ url: given, method = 'GET', parameters }: ImportBody['apiMeta']): URL | undefined {
  if (method.toUpperCase() !== 'GET' || !URL.canParse(given)) return undefined;
  const url = new URL(given);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  for (const [name, value] of enabled(parameters)) url.searchParams.append(name, value);
  return url;
}

function enabled(given: readonly Pair[] = []): readonly (readonly [string, string])[] {
  return given.flatMap(({ name = '', value, enabled: isOn = true }) =>
    isOn && name !== '' ? [[name, String(value ?? '')] as const] : [],
  );
}

/** Excludes headers about the connection, and invalid ones. */
function isPlainHeader([name, value]: readonly [string, string]): boolean {
  const isOfConnection =
    /^(host|connection|content-length|expect|te|trailer|transfer-encoding|upgrade)$/i.test(name);
  return !isOfConnection && /^[\w-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value);
}
