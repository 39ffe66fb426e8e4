import type { JsonSchema } from '@trellis/sdk/shared';

// The part of OpenAPI 3.1 that these documents use.

/** Refers to another part of the document. */
export interface Reference extends JsonSchema {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export interface MediaType {
  readonly schema: JsonSchema;
}

export interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, MediaType>>;
  };
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
export type PathItem = { readonly [M in Method]?: Operation };
export type Paths = Readonly<Record<string, PathItem>>;

/** The parts of a document that others refer to. */
export interface Components {
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  readonly parameters?: Readonly<Record<string, Parameter>>;
  readonly responses?: Readonly<Record<string, Response>>;
}

/** A document as the server returns it. */
export interface ApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Paths;
  readonly components: Components;
}
