import { resolve } from 'node:path';
import { describeColumnTypes, describePlugin } from '@trellis/sdk/testing/server';

const folder = resolve(import.meta.dirname, '..');

describePlugin(folder);
await describeColumnTypes(folder);
