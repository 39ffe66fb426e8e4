import { createSocket } from 'node:dgram';
import type { BusTransport } from '@trellis/sdk/server';

const port = 42_099;

/** Carries texts between servers in one network. What is lost on the way is told by nobody; a real transport says `connected` again. */
export function multicast(group: () => string): BusTransport {
  return {
    id: 'acme-multicast',
    // What fits into one packet.
    largest: 1400,
    open({ receive, connected, onError }) {
      // A process ends when nothing but its bus is left.
      const socket = createSocket({ type: 'udp4', reuseAddr: true }).unref();
      socket.on('error', onError);
      socket.on('message', (text) => receive(text.toString()));
      socket.bind(port, () => {
        try {
          socket.addMembership(group());
          connected();
        } catch (error) {
          onError(error);
        }
      });
      return {
        send: (text) =>
          new Promise((resolve, reject) =>
            socket.send(text, port, group(), (error) => (error === null ? resolve() : reject(error))),
          ),
        close: () => new Promise((resolve) => socket.close(resolve)),
      };
    },
  };
}
