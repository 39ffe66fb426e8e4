/** A session of the person who asks. Times are `YYYY-MM-DD HH:mm:ss` in UTC. */
export interface SessionEntity {
  readonly id: string;
  /** The one that asks. */
  readonly is_current: boolean;
  readonly created_at: string;
  readonly refreshed_at: string;
  /** What the browser calls itself. */
  readonly agent: string;
  readonly ip: string;
}
