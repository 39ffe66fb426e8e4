import { defineRoute, type KeptPictures, type RouteDefinition } from '@trellis/sdk/server';
import { mostPictureBytes } from '../shared/index.ts';
import { picturePath, type Pictures } from './pictures.ts';

interface PictureBody {
  /** The bytes in base64. */
  readonly picture: string;
}

const path = '/api/v1/auth/user/picture';
const permission = 'ownAccount';

/** The caller's picture, and pictures for anybody with their addresses, since browsers send no credentials for images. */
export function pictureRoutes(pictures: Pictures, kept: KeptPictures): readonly RouteDefinition[] {
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
      handle: ({ params }) => kept.answer(params.token ?? ''),
    }),
  ];
}
