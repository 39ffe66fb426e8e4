import type { Readable } from 'node:stream';
import type { RouteDefinition, UploadedFile } from '@trellis/sdk/server';
import type { Exchange } from './exchange.ts';
import type { HeldPlace } from './held-place.ts';
import { readMultipartBody } from './multipart-body.ts';
import { hasBody, limitedStream, readJsonBody, type BodyLimits } from './request-body.ts';
import { stallMs } from './stream-answer.ts';

/** What a handler gets of a body, by the kind that its route names. */
export interface ReceivedBody {
  readonly body?: unknown;
  readonly files?: readonly UploadedFile[];
  readonly stream?: Readable;
  /** Called when the request is over. */
  remove?(): Promise<void>;
}

const defaultLimit = 1024 * 1024;
/** Milliseconds for the whole of a JSON body, and of one that holds files. */
const longestJson = 60_000;
const longestUpload = 600_000;
const nothing: ReceivedBody = {};

/** Reads the body of a request as its route wants it; a request that only reads has none. */
export function receiveBody(
  exchange: Exchange,
  route: RouteDefinition,
  place: HeldPlace,
): ReceivedBody | Promise<ReceivedBody> {
  const { request, method } = exchange;
  const { bodyKind = 'json' } = route;
  if (method === 'GET' || method === 'HEAD' || bodyKind === 'none' || !hasBody(request)) return nothing;
  return readBody(exchange, route, place);
}

async function readBody(
  { request, response }: Exchange,
  { bodyKind = 'json', bodyLimit: bytes = defaultLimit }: RouteDefinition,
  place: HeldPlace,
): Promise<ReceivedBody> {
  const isForm = bodyKind === 'form';
  const isFormSent = isForm && /^multipart\//i.test(request.headers['content-type'] ?? '');
  const most = isForm && !isFormSent ? Math.min(bytes, defaultLimit) : bytes;
  const upload: BodyLimits = { bytes: most, time: longestUpload, stall: stallMs };
  switch (isFormSent ? 'multipart' : bodyKind) {
    case 'raw': {
      const arrived = await place.whileArriving(request);
      return { stream: limitedStream(request, upload, arrived) };
    }
    case 'multipart': {
      const read = () => readMultipartBody(request, response, upload);
      const { fields, files, remove } = await place.whileReading(request, read, (body) => body.remove());
      return { body: fields, files, remove };
    }
    default:
      return {
        body: await place.whileReading(request, () =>
          readJsonBody(request, { ...upload, time: longestJson }),
        ),
      };
  }
}
