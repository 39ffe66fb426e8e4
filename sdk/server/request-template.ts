import {
  defineErrors,
  beginsAsJson,
  fillTemplate,
  jsonTemplateProblem,
  requestBodyProblem,
  requestMethods,
  templateBudget,
  type RequestMethod,
  type RequestPair,
  type RequestTemplate,
  type SentRequest,
  type TemplateValues,
} from '../shared/index.ts';

const errors = defineErrors({
  REQUEST_ADDRESS: {
    status: 400,
    message: 'The address must begin with http:// or https:// and a host, without placeholders in either.',
  },
  REQUEST_HEADER: {
    status: 400,
    message: "'{name}' cannot be the name of a header, or is set by the server.",
  },
  REQUEST_PATH: {
    status: 400,
    message: 'With its values filled in, the address would lead to another place: a value is "." or "..".',
  },
  REQUEST_HEADER_LONG: {
    status: 400,
    message: "With its values filled in, the header '{name}' is longer than {most} characters.",
  },
  REQUEST_JSON: {
    status: 400,
    message: "The body is to be JSON, and becomes none: in its line {line}, '{text}' does not belong there.",
  },
  REQUEST_JSON_END: {
    status: 400,
    message: 'The body is to be JSON, and becomes none: something is missing at its end, such as a bracket.',
  },
  TEMPLATE_LONG: { status: 400, message: 'With its values filled in, a text is longer than 256 KB.' },
});

/** A request in the form in which it is sent. @public */
export interface RenderedRequest {
  readonly method: RequestMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Headers about the transport, and those that the server sets itself. */
const reserved =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|keep-alive|expect|proxy-.*|x-trellis-.*)$/i;
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const longestHeader = 8000;
const origin = /^https?:\/\/[^/?#{}\\\s@]+(?=[/?#]|$)/i;

/**
 * Parses a request as clients send it.
 *
 * @param otherwise the template of the body if the client sends none
 * @throws TrellisError 400 `REQUEST_ADDRESS`, `REQUEST_HEADER`
 * @public
 */
export function readRequestTemplate(
  given: Readonly<Record<string, unknown>>,
  otherwise: string,
): RequestTemplate {
  const path = typeof given.path === 'string' ? given.path.trim() : '';
  const [server = ''] = origin.exec(path) ?? [];
  if (!URL.canParse(server)) throw errors.create('REQUEST_ADDRESS');
  const asked = typeof given.method === 'string' ? given.method.toUpperCase() : 'POST';
  const method = requestMethods.find((known) => known === asked) ?? 'POST';
  const headers = readPairs(given.headers);
  const unfit = headers.find(({ name }) => !headerName.test(name) || reserved.test(name));
  if (unfit !== undefined) throw errors.create('REQUEST_HEADER', { name: unfit.name });
  const { body: text = otherwise } = given;
  const body = typeof text === 'string' ? text : JSON.stringify(text);
  return { method, path, headers, parameters: readPairs(given.parameters), body };
}

function readPairs(given: unknown): readonly RequestPair[] {
  if (!Array.isArray(given)) return [];
  return (given as readonly unknown[]).slice(0, 100).flatMap((pair) => {
    if (typeof pair !== 'object' || pair === null) return [];
    const { name, value, enabled } = pair as Record<string, unknown>;
    const key = typeof name === 'string' ? name.trim() : '';
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    return key === '' ? [] : [{ name: key, value: text, enabled: enabled !== false }];
  });
}

/**
 * Refuses a body that is meant to be JSON but cannot be, whatever the values of its placeholders. Called when a request is set;
 * stored requests are sent unchanged.
 *
 * @throws TrellisError 400 `REQUEST_JSON`, `REQUEST_JSON_END`
 * @public
 */
export function assertRequestBody(request: RequestTemplate): void {
  const problem = requestBodyProblem(request);
  if (problem === undefined) return;
  const { line, text } = problem;
  if (text === '') throw errors.create('REQUEST_JSON_END');
  throw errors.create('REQUEST_JSON', { line, text: text.slice(0, 40) });
}

/**
 * Fills in the templates of a request. @throws TrellisError 400 `TEMPLATE_LONG`, `REQUEST_PATH`, `REQUEST_HEADER_LONG`, final for
 * these values @public
 */
export function renderRequest(payload: RequestTemplate, values: TemplateValues): RenderedRequest {
  const { method, path, headers, parameters, body } = payload;
  const budget = templateBudget();
  const fill = (text: string, write?: (value: string) => string) => {
    try {
      return fillTemplate(text, values, write, budget);
    } catch (error) {
      if (error instanceof RangeError) throw errors.create('TEMPLATE_LONG', { final: 'message' });
      throw error;
    }
  };
  const [server = ''] = origin.exec(path) ?? [];
  // The value of a cell stays one part of the address, whatever its characters.
  const url = new URL(server + fill(path.slice(server.length), encodeURIComponent));
  // Dot segments, encoded or not, are removed from an address together with the segment before them.
  if (depthOf(url) !== depthOf(new URL(server + fillTemplate(path.slice(server.length), {}, () => 'x'))))
    throw errors.create('REQUEST_PATH', { final: 'message' });
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
          .map(({ name, value }) => [name.toLowerCase(), headerText(name, fill(value))]),
      ),
    },
    body: hasBody ? rendered : undefined,
  };
}

const depthOf = ({ pathname }: URL) => pathname.split('/').length;

/** In JSON: a string, followed by a colon if it is a name, or white space. */
const textOrBlanks = /(?<text>"[^"\\]*(?:\\.[^"\\]*)*")(?<colon>\s*:)?|\s+/g;

/**
 * A body that is JSON keeps its structure: the texts in it are filled in, whatever characters the values contain. Numbers are not
 * parsed: those with more digits than JavaScript keeps would change.
 */
function renderBody(body: string, fill: (text: string) => string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return beginsAsJson(body) && jsonTemplateProblem(body) === undefined ? fillTexts(body, fill) : fill(body);
  }
  if (typeof parsed !== 'object') return fill(body);
  return body.replace(textOrBlanks, (_, text: string | undefined, colon: string | undefined) => {
    if (text === undefined) return '';
    return colon === undefined ? JSON.stringify(fill(JSON.parse(text) as string)) : `${text}:`;
  });
}

/**
 * Fills in a template that becomes JSON only with its values, since it has placeholders outside its texts: those in texts are
 * filled in as above.
 */
function fillTexts(body: string, fill: (text: string) => string): string {
  return body.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|[^"]+/g, (of) =>
    of.startsWith('"') ? JSON.stringify(fill(JSON.parse(of) as string)) : fill(of),
  );
}

/** One line of characters allowed in a header. It is never truncated: masking would miss a part of a secret. */
function headerText(name: string, text: string): string {
  if (text.length > longestHeader)
    throw errors.create('REQUEST_HEADER_LONG', { name, most: longestHeader, final: 'message' });
  return text.replace(/[^\x20-\x7e\x80-\xff]/g, ' ');
}

const shownBody = 16_384;
const secretHeader = /auth|token|secret|key|cookie|password|signature/i;

/**
 * A request for logs, without the values of headers that look like secrets.
 *
 * @param mask hides secrets that were filled in: `UsedVariables.mask`
 * @public
 */
export function toSentRequest(
  { method, url, headers, body }: RenderedRequest,
  mask: <T>(shown: T) => T = (shown) => shown,
): SentRequest {
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    secretHeader.test(name) ? '•••' : value,
  ]);
  return {
    method,
    url: mask(url),
    headers: mask(Object.fromEntries(shown)) as Readonly<Record<string, string>>,
    body: mask(body ?? '').slice(0, shownBody),
  };
}

/** Milliseconds that an answer's header `retry-after` (seconds or a date) requests, at most six hours. @public */
export function retryAfterIn(headers: Readonly<Record<string, string>>): number | undefined {
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, 6 * 3600_000) : undefined;
}
