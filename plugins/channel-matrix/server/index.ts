import { randomUUID } from 'node:crypto';
import {
  callService,
  defineServerPlugin,
  messageText,
  OutboundToken,
  placesSchema,
  ToldPlaces,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { beginOf, defineErrors } from '@trellis/sdk/shared';

interface Room {
  readonly room: string;
  readonly room_id: string;
}

interface MatrixSettings {
  readonly server: string;
  readonly token: string;
  readonly rooms?: readonly Room[];
}

const hasServer = ({ server, token }: MatrixSettings): boolean => Boolean(server && token);

const errors = defineErrors({
  MATRIX_ROOM_UNKNOWN: { status: 400, message: "The settings of Matrix name no room '{room}' any more." },
  MATRIX_INCOMPLETE: { status: 409, message: 'Matrix has no home server yet; a super admin sets it.' },
});

/** The most characters of a message: an event of Matrix has at most 64 KB. */
const longest = 16_000;

function callOf(
  ctx: Pick<ServerPluginContext, 'get'>,
  { server, token }: MatrixSettings,
  signal: AbortSignal,
) {
  return (method: 'GET' | 'PUT', path: string, body?: object) =>
    callService(ctx.get(OutboundToken), {
      service: 'Matrix',
      url: `${server.replace(/\/$/, '')}/_matrix/client/v3/${path}`,
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
    });
}

export default defineServerPlugin<MatrixSettings>({
  setup(ctx) {
    const told = new ToldPlaces();
    const current = () => ctx.settings.current;
    ctx.register('notificationChannels', {
      id: 'matrix',
      label: 'Matrix',
      icon: 'comments',
      settings: placesSchema('rooms', 'Rooms'),
      settingsNow: () =>
        placesSchema(
          'rooms',
          'Rooms',
          (current().rooms ?? []).map(({ room }) => room),
        ),
      isConfigured: () => hasServer(current()) && (current().rooms ?? []).length > 0,
      async send({ rooms }, notification, { signal }) {
        const settings = current();
        if (!hasServer(settings)) throw errors.create('MATRIX_INCOMPLETE');
        const ids = (rooms as readonly string[]).map((name) => {
          const found = settings.rooms?.find(({ room }) => room === name);
          if (found === undefined) throw errors.create('MATRIX_ROOM_UNKNOWN', { room: name });
          return found.room_id;
        });
        const body = { msgtype: 'm.text', body: beginOf(messageText(notification), longest) };
        const call = callOf(ctx, settings, signal);
        // With it the home server recognises a message that is sent again, and shows it once.
        const transaction = encodeURIComponent(notification.id ?? randomUUID());
        await told.tell(notification.id, ids, (id) =>
          call('PUT', `rooms/${encodeURIComponent(id)}/send/m.room.message/${transaction}`, body),
        );
      },
    });
  },
  async test(ctx, values) {
    await callOf(ctx, values, ctx.signal)('GET', 'account/whoami');
    return { ok: true, message: 'The home server of Matrix knows this account.' };
  },
});
