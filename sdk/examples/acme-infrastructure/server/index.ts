import { freemem, hostname } from 'node:os';
import { defineServerPlugin } from '@trellis/sdk/server';
import { cockroach } from './cockroach.ts';
import { multicast } from './multicast.ts';
import { serveTime } from './serve-time.ts';

/** Megabytes of memory below which the server is not well. */
const least = 32;

interface Settings {
  readonly group: string;
  readonly port: number;
}

export default defineServerPlugin<Settings>({
  setup(ctx) {
    // Which databases can be opened as a base, and by which connection.
    ctx.register('baseKinds', cockroach);
    // How servers on one metadata database tell each other what changed.
    ctx.register(
      'busTransports',
      multicast(() => ctx.settings.current.group),
    );
    // `GET /api/v1/health` answers 503 while one of them is not well.
    ctx.register('healthChecks', {
      id: 'acme-memory',
      check: () => {
        const megabytes = Math.floor(freemem() / 1024 / 1024);
        return Promise.resolve({ ok: megabytes >= least, message: `${megabytes} MB of memory are free.` });
      },
    });
    // Another way in, beside HTTP.
    ctx.register('listeners', {
      id: 'acme-time',
      label: 'Time',
      start: ({ signal }) => serveTime(ctx.settings.current.port, signal),
    });
    // What people write as `{{serverName}}` in addresses, headers and texts.
    ctx.register('variableSources', {
      id: 'acme-server',
      resolve: () => Promise.resolve({ serverName: hostname() }),
    });
  },
});
