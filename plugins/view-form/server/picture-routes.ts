import {
  defineRoute,
  SchemaStoreToken,
  viewIn,
  ViewStoreToken,
  type KeptPictures,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { formOptions, formView, mostPictureBytes, picturePath, pictureOptions } from '../shared/index.ts';
import { formErrors } from './form-errors.ts';
import { tokenIn, type FormPictures } from './pictures.ts';

interface PictureBody {
  /** The bytes in base64. */
  readonly picture: string;
}

const path = '/api/v1/db/meta/forms/:viewId/pictures/:place';
const base64Length = Math.ceil(mostPictureBytes / 3) * 4 + 4;

/**
 * The banner and the logo of a form: set and removed by people who may change it, read by people who may see the form, and, while
 * it is shared by a link, by anybody with their address, since browsers send no credentials for images.
 */
export function pictureRoutes(
  ctx: ServerPluginContext,
  pictures: FormPictures,
  kept: KeptPictures,
): readonly RouteDefinition[] {
  const schema = ctx.get(SchemaStoreToken);
  const store = ctx.get(ViewStoreToken);

  /** A form, and the option for the address of this picture. */
  async function find({ scope, params }: Pick<RouteRequest, 'scope' | 'params'>) {
    const found = viewIn(await schema.snapshot(scope), params.viewId ?? '');
    const option = Object.hasOwn(pictureOptions, params.place ?? '')
      ? pictureOptions[params.place as keyof typeof pictureOptions]
      : undefined;
    if (found?.view.type !== formView.id || option === undefined)
      throw formErrors.create('FORM_PICTURE_PLACE');
    return { ...found, option };
  }

  /** Replaces or removes a form's picture; the former one is deleted if no other form shows it. */
  async function show(request: Pick<RouteRequest, 'scope' | 'params'>, bytes?: Uint8Array) {
    const { view, table, option } = await find(request);
    const { scope } = request;
    const saved = view.meta ?? {};
    const former = formOptions(saved)[option];
    const address = bytes === undefined ? '' : await pictures.add(table.projectId, bytes);
    try {
      await store.update(scope, view.id, { meta: { ...saved, [option]: address }, metaBefore: saved });
    } catch (error) {
      await pictures.letGo(table.projectId, address);
      throw error;
    }
    await pictures.letGo(table.projectId, former);
    return { url: address };
  }

  const object = { kind: 'view', param: 'viewId' } as const;
  return [
    defineRoute<Record<string, string>, Record<string, unknown>, PictureBody>({
      method: 'PUT',
      path,
      permission: 'formViewUpdate',
      object,
      summary: 'Set the banner or the logo of a form: PNG, JPEG or WebP in base64',
      bodyLimit: base64Length + 1024,
      schemas: {
        body: {
          type: 'object',
          required: ['picture'],
          properties: { picture: { type: 'string', maxLength: base64Length } },
        },
      },
      unknownKeys: 'refuse',
      handle: (request) => show(request, Buffer.from(request.body.picture, 'base64')),
    }),
    defineRoute({
      method: 'DELETE',
      path,
      permission: 'formViewUpdate',
      object,
      summary: 'Take the banner or the logo of a form away',
      handle: (request) => show(request),
    }),
    defineRoute({
      method: 'GET',
      path,
      permission: 'formViewGet',
      object,
      summary:
        'Read the banner or the logo of a form, shared or not, by the address that the form has for it',
      schemas: {
        query: {
          type: 'object',
          required: ['address'],
          properties: { address: { type: 'string', maxLength: 2000 } },
        },
      },
      async handle(request) {
        const { view, table, option } = await find(request);
        const address = formOptions(view.meta)[option];
        const token = request.query.address === address ? tokenIn(address) : undefined;
        if (token === undefined || !(await pictures.isOf(table.projectId, token))) throw kept.unknown();
        return { picture: await kept.dataUrl(token) };
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${picturePath}:token`,
      permission: 'public',
      summary: 'Read the banner or the logo of a form that is shared, by its address',
      async handle({ params: { token = '' } }) {
        if (!(await pictures.isOpen(token))) throw kept.unknown();
        return kept.answer(token);
      },
    }),
  ];
}
