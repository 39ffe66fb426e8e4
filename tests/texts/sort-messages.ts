/**
 * Writes every message file in its canonical form; `npm run format` runs it too. If a key occurs twice, the last text is kept,
 * which is the one that the page shows.
 */
import { writeFileSync } from 'node:fs';
import { messageFiles, messagesText, readMessages } from './message-files.ts';

for (const file of messageFiles()) writeFileSync(file, messagesText(readMessages(file)));
