const storageKey = 'trellis.chunk-reload';
const interval = 60_000;

const chunkFailure =
  /dynamically imported module|importing a module script failed|error loading dynamically|unable to preload/i;

/** Whether the error means that a part of the page could not be loaded, as after an upgrade of the server. */
export function isChunkFailure(error: unknown): boolean {
  return error instanceof Error && chunkFailure.test(error.message);
}

/**
 * Reloads the page to get its new parts, at most once a minute: a part that is really missing must not cause endless reloads.
 *
 * @returns whether the page reloads.
 */
export function reloadForNewParts(
  storage: Storage = sessionStorage,
  reload: () => void = () => location.reload(),
  now: number = Date.now(),
): boolean {
  const last = Number(storage.getItem(storageKey) ?? 0);
  if (now - last < interval) return false;
  storage.setItem(storageKey, String(now));
  reload();
  return true;
}
