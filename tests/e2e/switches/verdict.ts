import type { PageFigures } from './page-figures.ts';
import type { RowCounts, ServerFigures } from './server-figures.ts';

/** What a page, its server and the database hold at one moment. */
export interface Figures {
  readonly page: PageFigures;
  readonly server: ServerFigures;
  readonly rows: RowCounts;
}

/** By how much something may be more at the end: what is kept of each switch is more than that by far. */
interface Room {
  /** For what comes and goes, whatever is done. */
  readonly always: number;
  readonly perSwitch: number;
}

/** Bytes by which the heap of an idle page comes and goes, and those that one switch may leave there on the average. */
const ofPageHeap: Room = { always: 1024 * 1024, perSwitch: 256 };
/** The same for the server, whose engine compiles what is called often. */
const ofServerHeap: Room = { always: 3 * 1024 * 1024, perSwitch: 4096 };
/** A toast, a retry or the next beat of the live channel may be on its way. */
const ofTimers: Room = { always: 3, perSwitch: 0 };
/** A connection that is kept alive may come at any time, with its sockets and its timers. */
const ofConnections: Room = { always: 20, perSwitch: 0 };
/** Which jobs were due meanwhile is a matter of the clock. */
const byClock = ['trellis_lease', 'trellis_periodic_run'];
/** Who switched what is written down, and is not forgotten by the next switch. */
const log = 'trellis_log_entry';

/** The numbers of which nothing may be left, by name, with their room. */
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

/** The entries of the log that some switches left. */
export function loggedBetween(before: RowCounts, after: RowCounts): number {
  return (after[log] ?? 0) - (before[log] ?? 0);
}

/** What is not as it was, but for what comes and goes; empty where switches leave nothing and take nothing. @param switches off and on again */
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

/** One line for each number, at the beginning and at the end. */
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
