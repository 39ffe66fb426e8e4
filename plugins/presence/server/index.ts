import { defineServerPlugin, type LiveTopic } from '@trellis/sdk/server';
import type { LiveSaid } from '@trellis/sdk/shared';
import { presenceTopic, type Whereabouts } from '../shared/index.ts';

const longestKey = 500;

/** The positions of the people who look at a table. */
const presence: LiveTopic = {
  id: presenceTopic,
  read(said): LiveSaid | undefined {
    if (typeof said !== 'object' || said === null) return undefined;
    const { row, column } = said as Whereabouts;
    const isCell =
      typeof row === 'string' &&
      typeof column === 'string' &&
      row.length <= longestKey &&
      /^cl_[0-9a-z]{14,20}$/.test(column);
    return isCell ? { row, column } : {};
  },
  tell(said, listener, tableId) {
    const readable = listener.readableColumns(tableId);
    const seesColumn = readable === 'all' || readable.has(String(said.column));
    // Checking whether somebody sees a single row would be a query for each move of another person.
    return seesColumn && listener.rowPredicate(tableId) === undefined ? said : {};
  },
};

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('liveTopics', presence);
  },
});
