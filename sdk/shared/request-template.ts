/** The methods of requests that people configure. @public */
export const requestMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
/** One of `requestMethods`. @public */
export type RequestMethod = (typeof requestMethods)[number];

/** A header or a parameter of a request; its value is a template. @public */
export interface RequestPair {
  readonly name: string;
  readonly value: string;
  readonly enabled: boolean;
}

/** A request whose parts are templates. @public */
export interface RequestTemplate {
  readonly method: RequestMethod;
  /** The address. Placeholders are only allowed after its host. */
  readonly path: string;
  readonly headers: readonly RequestPair[];
  readonly parameters: readonly RequestPair[];
  readonly body: string;
}

/** A request for logs, without secret headers. @public */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Its first 16,384 characters. */
  readonly body: string;
}
