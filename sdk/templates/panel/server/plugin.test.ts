import { resolve } from 'node:path';
import { describePlugin } from '@trellis/sdk/testing/server';

const folder = resolve(import.meta.dirname, '..');

describePlugin(folder);
