import satisfiesRange from 'semver/functions/satisfies.js';
import validVersion from 'semver/functions/valid.js';
import validRange from 'semver/ranges/valid.js';

/**
 * Whether a version is in a range. A pre-release counts as the release it leads to, so that `1.3.0-beta.1` of the host satisfies
 * `^1.2.0`, and `2.0.0-beta.1` does not.
 */
export function satisfies(version: string, range: string): boolean {
  return satisfiesRange(version, range, { includePrerelease: true });
}

/** Whether a text is a version in the form that is compared: without a leading `v` and without build metadata. */
export function isVersion(text: string): boolean {
  return validVersion(text) === text;
}

export function isRange(text: string): boolean {
  return validRange(text) !== null;
}
