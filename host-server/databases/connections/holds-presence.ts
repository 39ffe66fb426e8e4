/** Holds a server's presence on a database: prints its id, and waits until it is killed. */
import type { DatabaseTarget } from '../database.ts';
import { openPresence } from './presence.ts';

const [, , target] = process.argv;
if (target === undefined) throw new Error('On which database? holds-presence.ts <target as JSON>');
const { id } = await openPresence(JSON.parse(target) as DatabaseTarget);
process.stdout.write(`${id}\n`);
setInterval(() => {}, 60_000);
