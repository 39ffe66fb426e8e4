import { defineRoute, RouteAnswer, type RouteDefinition, type RouteRequest } from '@trellis/sdk/server';
import { mostPictureBytes } from '../shared/index.ts';
import { authErrors } from './auth-errors.ts';
import { picturePath, type Pictures } from './pictures.ts';

interface PictureBody {
  /** The bytes in base64. */
  readonly picture: string;
}

const path = '/api/v1/auth/user/picture';
const permission = 'ownAccount';

/** The own picture, and pictures for whoever knows their addresses: a browser sends no credentials for an image. */
export function pictureRoutes(pictures: Pictures): readonly RouteDefinition[] {
  async function send({ params }: RouteRequest): Promise<RouteAnswer> {
    const found = await pictures.read(params.token ?? '');
    if (found === undefined) throw authErrors.create('PICTURE_UNKNOWN');
    return new RouteAnswer({
      headers: {
        'content-type': found.type,
        'content-disposition': 'inline; filename="picture"',
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'private, max-age=31536000, immutable',
      },
      body: found.content,
    });
  }

  return [
    defineRoute<Record<string, string>, Record<string, unknown>, PictureBody>({
      method: 'PUT',
      path,
      permission,
      summary: 'Set the own picture: PNG, JPEG or WebP in base64',
      schemas: {
        body: {
          type: 'object',
          required: ['picture'],
          properties: { picture: { type: 'string', maxLength: Math.ceil(mostPictureBytes / 3) * 4 + 4 } },
        },
      },
      unknownKeys: 'refuse',
      handle: async ({ body, principal }) => ({
        picture: await pictures.set(principal.id, Buffer.from(body.picture, 'base64')),
      }),
    }),
    defineRoute({
      method: 'DELETE',
      path,
      permission,
      summary: 'Take the own picture away',
      async handle({ principal }) {
        await pictures.remove(principal.id);
        return { picture: null };
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${picturePath}/:token`,
      permission: 'public',
      places: 'none',
      summary: "Read somebody's picture by its address",
      handle: send,
    }),
  ];
}
