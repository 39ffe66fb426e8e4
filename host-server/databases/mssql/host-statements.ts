/** What the host asks of SQL Server by itself, in T-SQL. */

/** What every connection has, whatever the server's and the user's settings say. */
export const SETTINGS =
  'set ansi_nulls on; set ansi_padding on; set ansi_warnings on; set arithabort on; set concat_null_yields_null on; ' +
  'set quoted_identifier on; set numeric_roundabort off; set xact_abort off; set lock_timeout 10000; ' +
  'set language us_english; set dateformat ymd; set datefirst 1; set textsize 2147483647; ' +
  'set transaction isolation level read committed';

export const SESSION_ID = 'select cast(@@spid as int) as id';

/** Statements of the host that SQL Server says in another way: it may have rolled back by itself. */
export const SAID_OTHERWISE: Readonly<Record<string, string>> = {
  // The level of a snapshot would stay with the connection.
  rollback: 'if @@trancount > 0 rollback transaction; set transaction isolation level read committed',
  commit: 'commit transaction',
};

const snapshotOr = (level: string) =>
  'if exists (select 1 from sys.databases where database_id = db_id() and snapshot_isolation_state = 1) ' +
  `set transaction isolation level snapshot else set transaction isolation level ${level}`;

/** Reads see one moment where the database keeps row versions; elsewhere rows that were read stay locked until the end. */
export const SNAPSHOT = snapshotOr('repeatable read');

/** Reads see one moment where the database keeps row versions; elsewhere each statement sees what is committed, and holds no lock for long. */
export const MOMENT = snapshotOr('read committed');

/** Whether the account sees the work of other connections, and how many statements of this one run. */
export function workingSql(sessionId: number): string {
  return (
    "select has_perms_by_name(null, null, 'VIEW SERVER STATE') as sees_all, " +
    `(select count(*) from sys.dm_exec_requests where session_id = ${sessionId}) as working`
  );
}
