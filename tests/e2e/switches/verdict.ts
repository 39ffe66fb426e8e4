import type { PageFigures } from './page-figures.ts';
import type { RowCounts, ServerFigures } from './server-figures.ts';

/** What a page, its server and the database hold at one moment. */
export interface Figures {
  readonly page: PageFigures;
  readonly server: ServerFigures;
  readonly rows: RowCounts;
}

/** The allowed increase at the end: a leak at each switch is far larger. */
interface Room {
  /** For fluctuations that do not depend on the switches. */
  readonly always: number;
  readonly perSwitch: number;
}

/** Bytes by which an idle page's heap fluctuates, and bytes that one switch may leave on average. */
const ofPageHeap: Room = { always: 1024 * 1024, perSwitch: 256 };
/** The same for the server, whose engine compiles frequently called code. */
const ofServerHeap: Room = { always: 3 * 1024 * 1024, perSwitch: 4096 };
/** A toast, a retry or the live channel's next heartbeat may be pending. */
const ofTimers: Room = { always: 3, perSwitch: 0 };
/** A kept-alive connection may appear at any time, with its sockets and timers. */
const ofConnections: Room = { always: 20, perSwitch: 0 };
/** The clock decides which jobs were due meanwhile. */
const byClock = ['trellis_lease', 'trellis_periodic_run'];
/** Each switch is logged permanently with its author. */
const log = 'trellis_log_entry';

/** The numbers that must not increase, by name, with the allowed increase. */
function numbersOf({ page, server, rows }: Figures): ReadonlyMap<string, readonly [number, Room]> {
  const exactly: Room = { always: 0, perSwitch: 0 };
  const { heap, timers, ...ofPage } = page;
  const { heap: serverHeap, timers: serverTimers, emitters, signals, listeners, handles } = server;
  const counted = Object.entries({ ...ofPage }).map(([name, count]) => [`page ${name}`, count] as const);
  const open = Object.entries(handles).map(([kind, count]) => [`server ${kind}`, count] as const);
  const kept = Object.entries(rows)
    .filter(([table]) => table !== log && !byClock.includes(table))
    .map(([table, count]) => [`rows of ${table}`, count] as const);
  return new Map<string, readonly [number, Room]>([
    ['page heap', [heap, ofPageHeap]],
    ['page timers', [timers, ofTimers]],
    ['server heap', [serverHeap, ofServerHeap]],
    ['server timers', [serverTimers, ofConnections]],
    ['server emitters', [emitters, ofConnections]],
    ['server signals', [signals, ofConnections]],
    ...[['server listeners', listeners] as const, ...counted, ...open, ...kept].map(
      ([name, count]) => [name, [count, exactly]] as const,
    ),
  ]);
}

/** The number of log entries that some switches left. */
export function loggedBetween(before: RowCounts, after: RowCounts): number {
  return (after[log] ?? 0) - (before[log] ?? 0);
}

/**
 * What has changed beyond the allowed fluctuation; empty if switches leave and take nothing. @param switches number of times
 * disabled and enabled
 */
export function changedBetween(before: Figures, after: Figures, switches: number): readonly string[] {
  const numbers = numbersOf(before);
  return [...numbersOf(after)].flatMap(([name, [count, { always, perSwitch }]]) => {
    const [first] = numbers.get(name) ?? [0];
    const most = always + perSwitch * switches;
    const isAsBefore = most === 0 ? count === first : count - first <= most;
    return isAsBefore ? [] : [`${name}: ${first} -> ${count}`];
  });
}

const inKilobytes = (bytes: number) => `${Math.round(bytes / 1024).toLocaleString('en')} KB`;

/** One line for each number, with its first and last value. */
export function describeFigures(before: Figures, after: Figures, switches: number): string {
  const bytes = (of: Figures['page' | 'server'], to: Figures['page' | 'server']) =>
    `heap ${inKilobytes(of.heap)} -> ${inKilobytes(to.heap)} (${Math.round((to.heap - of.heap) / switches)} bytes a switch)`;
  const counts = (of: object, to: object) =>
    Object.entries(to)
      .filter(([name]) => name !== 'heap')
      .map(([name, count]) => `${name} ${shown((of as Record<string, unknown>)[name])} -> ${shown(count)}`)
      .join(', ');
  const rows = (of: RowCounts) =>
    Object.entries(of)
      .filter(([table]) => table !== log)
      .reduce((sum, [, count]) => sum + count, 0);
  return [
    `  page: ${bytes(before.page, after.page)}, ${counts(before.page, after.page)}`,
    `  server: ${bytes(before.server, after.server)}, ${counts(before.server, after.server)}`,
    `  rows: ${rows(before.rows)} -> ${rows(after.rows)}, and ${loggedBetween(before.rows, after.rows)} entries of the log`,
  ].join('\n');
}

/** A number, or the sum of numbers by kind. */
function shown(figure: unknown): number {
  if (typeof figure !== 'object' || figure === null) return Number(figure);
  return Object.values(figure).reduce<number>((sum, count) => sum + Number(count), 0);
}
