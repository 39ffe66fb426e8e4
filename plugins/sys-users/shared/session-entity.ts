/** A session of the caller. Times are `YYYY-MM-DD HH:mm:ss` in UTC. */
export interface SessionEntity {
  readonly id: string;
  /** Whether it is the session of this request. */
  readonly is_current: boolean;
  readonly created_at: string;
  readonly refreshed_at: string;
  /** The browser's user agent. */
  readonly agent: string;
  readonly ip: string;
}
