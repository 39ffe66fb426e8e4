/** The most output of a step for later ones, roughly in bytes of its JSON. */
const megabyte = 1024 * 1024;
/** For rows that are found for other steps. */
export const mostFound = megabyte;
/** For any other step, which has done its work by then: more than rows usually hold. */
export const mostGiven = 4 * megabyte;

/** Whether a value is larger than `most` bytes. Reads no more of it than needed. */
export function isLargerThan(value: unknown, most: number): boolean {
  let size = 0;
  function add(part: unknown): boolean {
    if (typeof part === 'string') size += part.length;
    else if (part === null || typeof part !== 'object') size += 4;
    else for (const [key, inner] of Object.entries(part)) if (add(key) || add(inner)) return true;
    return size > most;
  }
  return add(value);
}
