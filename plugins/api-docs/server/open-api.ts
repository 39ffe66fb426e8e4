import type { JsonSchema } from '@trellis/sdk/shared';
import type { Operation, Reference, Response } from '../shared/index.ts';

/** The OpenAPI version of the documents. */
export const openApiVersion = '3.1.0';

/** The credentials in every document: a session or an API token. */
export const security = [{ xcAuth: [] }, { xcToken: [] }] as const;

export const securitySchemes = {
  xcAuth: { type: 'apiKey', in: 'header', name: 'xc-auth', description: 'The token of a session' },
  xcToken: { type: 'apiKey', in: 'header', name: 'xc-token', description: 'An API token' },
} as const;

/** The body of every error. */
export const errorSchema: JsonSchema = {
  type: 'object',
  required: ['msg'],
  properties: {
    msg: { type: 'string', description: 'What went wrong, for people' },
    code: { type: 'string', description: 'What went wrong, for programs' },
    params: { type: 'object' },
  },
};

export const refersTo = (place: string): Reference => ({ $ref: `#/components/${place}` });

export const refusal = refersTo('responses/Refused');
export const refused: Response = {
  description: 'Refused; the body says why',
  content: { 'application/json': { schema: refersTo('schemas/Error') } },
};

export function json(schema: JsonSchema, description: string): Response {
  return { description, content: { 'application/json': { schema } } };
}

export function jsonBody(schema: JsonSchema): NonNullable<Operation['requestBody']> {
  return { required: true, content: { 'application/json': { schema } } };
}

/** Gives each text a unique name that documents allow; the same text always gets the same name. */
export class Names {
  readonly #given = new Map<string, string>();
  readonly #taken = new Set<string>();

  of(text: string): string {
    const known = this.#given.get(text);
    if (known !== undefined) return known;
    const plain = text.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string = '') => next.toUpperCase());
    let name = plain || 'Unnamed';
    for (let copy = 2; this.#taken.has(name.toLowerCase()); copy += 1) name = `${plain || 'Unnamed'}${copy}`;
    this.#taken.add(name.toLowerCase());
    this.#given.set(text, name);
    return name;
  }
}
