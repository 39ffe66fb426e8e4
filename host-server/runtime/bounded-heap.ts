import { setFlagsFromString } from 'node:v8';

/**
 * Percent by which the memory of JavaScript grows between two collections of all of it. V8 would take up to four times of what is
 * in use: a server of 23 MB stood at 90 MB of garbage under load.
 */
const GROWTH_PERCENT = 50;

/** To be called before the server's code is read. V8 looks at this setting whenever it has collected. */
export function boundHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
