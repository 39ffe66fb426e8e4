import { pino, type DestinationStream } from 'pino';

/** Bytes of lines that wait until they can be written; what comes beyond is lost. */
const mostWaiting = 1024 * 1024;

/** Standard output. It may be a file on a disk that is full: lines wait then, until one comes for which there is room again. */
export function standardOutput(): DestinationStream {
  const output = pino.destination({ maxLength: mostWaiting });
  const { flushSync } = output;
  // Without a listener the error would end the server. At its own end it would try for ever to write what waits.
  output.on('error', () => {
    output.flushSync = () => undefined;
  });
  output.on('write', () => {
    output.flushSync = flushSync;
  });
  return output;
}
