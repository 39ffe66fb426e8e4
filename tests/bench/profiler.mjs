/** Preloaded into a measured server (`--import`): profiles its main thread between the messages `start` and `stop`. */
import { Session } from 'node:inspector/promises';

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: 250 });

async function answer(message) {
  if (message === 'start') {
    await session.post('Profiler.start');
    process.send?.('started');
  }
  if (message === 'stop') {
    const { profile } = await session.post('Profiler.stop');
    process.send?.(profile);
  }
}

process.on('message', (message) => void answer(message));
// The channel alone must not keep the server running.
process.channel?.unref();
