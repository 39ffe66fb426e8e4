import { defineServerPlugin } from '@trellis/sdk/server';
import {
  aggregations,
  checkbox,
  date,
  dateTime,
  decimal,
  foreignKey,
  id,
  json,
  longText,
  number,
  singleLineText,
} from '../shared/index.ts';

const types = [id, foreignKey, singleLineText, longText, number, decimal, checkbox, date, dateTime, json];

export default defineServerPlugin({
  setup(ctx) {
    for (const type of types) ctx.register('columnTypes', type);
    for (const aggregation of aggregations) ctx.register('aggregations', aggregation);
  },
});
