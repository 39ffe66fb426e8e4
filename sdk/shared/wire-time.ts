/** `YYYY-MM-DD HH:mm:ss` in UTC, as the v1 API writes times of the metadata. @param milliseconds since 1970, UTC. @public */
export function wireTime(milliseconds: unknown): string {
  return new Date(Number(milliseconds)).toISOString().slice(0, 19).replace('T', ' ');
}
