import { collectWhileIdle } from './idle-collection.ts';

/** Run by the test of the idle collection in its own process: prints the megabytes of its heap after work, and after a rest. */
const megabytes = (): number => process.memoryUsage().heapTotal / 2 ** 20;

const kept: object[] = [];
for (let index = 0; index < 400_000; index += 1) kept.push({ text: String(index) });
kept.length = 0;
const worked = megabytes();

const collection = collectWhileIdle(50);
const watch = setInterval(() => {
  if (megabytes() > worked / 2) return;
  clearInterval(watch);
  void collection.dispose();
  process.stdout.write(`${String(worked)} ${String(megabytes())}\n`);
}, 50);
