import {
  defaultBody,
  fillTemplate,
  hookMethods,
  type HookMethod,
  type HookPair,
  type TemplateValues,
  type UrlPayload,
} from '../shared/index.ts';
import { hookErrors } from './hook-errors.ts';

/** A request as it goes out. */
export interface RenderedRequest {
  readonly method: HookMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Headers that say how a request travels, and those that the server sets by itself. */
const reserved =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|keep-alive|expect|proxy-.*|x-trellis-.*)$/i;
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const origin = /^https?:\/\/[^/?#{}\\\s@]+(?=[/?#]|$)/i;

/** Reads what clients send as the payload of a webhook of the type `URL`. @throws TrellisError 400 */
export function readUrlPayload(given: Readonly<Record<string, unknown>>): UrlPayload {
  const path = typeof given.path === 'string' ? given.path.trim() : '';
  if (!origin.test(path)) throw hookErrors.create('HOOK_ADDRESS');
  const asked = typeof given.method === 'string' ? given.method.toUpperCase() : 'POST';
  const method = hookMethods.find((known) => known === asked) ?? 'POST';
  const headers = readPairs(given.headers);
  const unfit = headers.find(({ name }) => !headerName.test(name) || reserved.test(name));
  if (unfit !== undefined) throw hookErrors.create('HOOK_HEADER', { name: unfit.name });
  const { body: text = defaultBody } = given;
  const body = typeof text === 'string' ? text : JSON.stringify(text);
  return { method, path, headers, parameters: readPairs(given.parameters), body };
}

function readPairs(given: unknown): readonly HookPair[] {
  if (!Array.isArray(given)) return [];
  return (given as readonly unknown[]).slice(0, 100).flatMap((pair) => {
    if (typeof pair !== 'object' || pair === null) return [];
    const { name, value, enabled } = pair as Record<string, unknown>;
    const key = typeof name === 'string' ? name.trim() : '';
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    return key === '' ? [] : [{ name: key, value: text, enabled: enabled !== false }];
  });
}

/** Fills the templates of a request in. @throws TrellisError 400 `HOOK_TEXT_LONG` */
export function renderUrl(payload: UrlPayload, values: TemplateValues): RenderedRequest {
  const { method, path, headers, parameters, body } = payload;
  const fill = (text: string, write?: (value: string) => string) => {
    try {
      return fillTemplate(text, values, write);
    } catch (error) {
      if (error instanceof RangeError) throw hookErrors.create('HOOK_TEXT_LONG');
      throw error;
    }
  };
  const [server = ''] = origin.exec(path) ?? [];
  // What a cell holds stays one part of the address, whatever characters are in it.
  const url = new URL(server + fill(path.slice(server.length), encodeURIComponent));
  for (const { name, value, enabled } of parameters) if (enabled) url.searchParams.append(name, fill(value));
  const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
  const rendered = renderBody(body, fill);
  return {
    method,
    url: url.href,
    headers: {
      ...(hasBody && { 'content-type': 'application/json' }),
      ...Object.fromEntries(
        headers
          .filter(({ enabled }) => enabled)
          .map(({ name, value }) => [name.toLowerCase(), asHeader(fill(value))]),
      ),
    },
    body: hasBody ? rendered : undefined,
  };
}

/** A body that is JSON keeps its shape: the texts in it are filled in, whatever characters the values hold. */
function renderBody(body: string, fill: (text: string) => string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return fill(body);
  }
  return typeof parsed === 'object' ? JSON.stringify(filled(parsed, fill)) : fill(body);
}

function filled(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === 'string') return fill(value);
  if (Array.isArray(value)) return value.map((item) => filled(item, fill));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, fill)]));
}

/** One line in characters that a header may hold. */
function asHeader(text: string): string {
  return text.replace(/[^\x20-\x7e\x80-\xff]/g, ' ').slice(0, 8000);
}
