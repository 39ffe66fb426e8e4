import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { RouteDefinition, UploadedFile } from '@trellis/sdk/server';
import type { Exchange } from './exchange.ts';
import type { HeldPlace } from './held-place.ts';
import { readMultipartBody } from './multipart-body.ts';
import {
  hasArrived,
  hasBody,
  limitedStream,
  readArrivedJson,
  readJsonBody,
  type BodyLimits,
} from './request-body.ts';
import { stallMs } from './stream-answer.ts';

/** The body that a handler gets, by its route's kind of body. */
export interface ReceivedBody {
  readonly body?: unknown;
  readonly files?: readonly UploadedFile[];
  readonly stream?: Readable;
  /** Called when the request is over. */
  remove?(): Promise<void>;
}

const defaultLimit = 1024 * 1024;
/** Milliseconds to receive a whole JSON body, and one with files. */
const longestJson = 60_000;
const longestUpload = 600_000;
/** Bytes of a body that usually arrives in one packet with its headers. */
const onePacket = 16 * 1024;
const nothing: ReceivedBody = {};

/** Reads the body of a request in the form that its route names; a request that only reads has none. */
export function receiveBody(
  exchange: Exchange,
  { bodyKind = 'json', bodyLimit = defaultLimit }: RouteDefinition,
  place: HeldPlace,
): ReceivedBody | Promise<ReceivedBody> {
  const { request, method } = exchange;
  if (method === 'GET' || method === 'HEAD' || bodyKind === 'none' || !hasBody(request)) return nothing;
  if (bodyKind === 'raw') return streamBody(exchange, uploadOf(bodyLimit), place);
  if (bodyKind === 'multipart' || (bodyKind === 'form' && isMultipart(exchange)))
    return readFiles(exchange, uploadOf(bodyLimit), place);
  const bytes = bodyKind === 'form' ? Math.min(bodyLimit, defaultLimit) : bodyLimit;
  return readJson(exchange, { bytes, time: longestJson, stall: stallMs }, place);
}

function isMultipart({ request }: Exchange): boolean {
  return /^multipart\//i.test(request.headers['content-type'] ?? '');
}

function uploadOf(bytes: number): BodyLimits {
  return { bytes, time: longestUpload, stall: stallMs };
}

async function streamBody(
  { request }: Exchange,
  limits: BodyLimits,
  place: HeldPlace,
): Promise<ReceivedBody> {
  const arrived = await place.whileArriving(request);
  return { stream: limitedStream(request, limits, arrived) };
}

async function readFiles(
  { request, response }: Exchange,
  limits: BodyLimits,
  place: HeldPlace,
): Promise<ReceivedBody> {
  const read = () => readMultipartBody(request, response, limits);
  const { fields, files, remove } = await place.whileReading(request, read, (body) => body.remove());
  return { body: fields, files, remove };
}

async function readJson({ request }: Exchange, limits: BodyLimits, place: HeldPlace): Promise<ReceivedBody> {
  // The rest of the packet with the headers is read before the next turn of the event loop.
  if (Number(request.headers['content-length']) <= onePacket) await setImmediate();
  if (hasArrived(request)) return { body: readArrivedJson(request, limits.bytes) };
  return { body: await place.whileReading(request, () => readJsonBody(request, limits)) };
}
