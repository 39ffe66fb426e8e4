import { pino, type DestinationStream } from 'pino';

/** The most bytes of lines that wait to be written; further ones are lost. */
const mostWaiting = 1024 * 1024;

/** Standard output. It may be a file on a full disk: then lines wait until there is room again. */
export function standardOutput(): DestinationStream {
  const output = pino.destination({ maxLength: mostWaiting });
  const { flushSync } = output;
  // Without a listener the error would end the server. At its own end the server would try forever to write waiting lines.
  output.on('error', () => {
    output.flushSync = () => undefined;
  });
  output.on('write', () => {
    output.flushSync = flushSync;
  });
  return output;
}
