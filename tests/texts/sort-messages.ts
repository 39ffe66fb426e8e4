/**
 * Writes every file of messages as it should be written: `npm run format` does it too. Of a key that stands twice the last text is kept,
 * which is the one that the page shows.
 */
import { writeFileSync } from 'node:fs';
import { messageFiles, messagesText, readMessages } from './message-files.ts';

for (const file of messageFiles()) writeFileSync(file, messagesText(readMessages(file)));
