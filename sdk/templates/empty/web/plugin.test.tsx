import { resolve } from 'node:path';
import { describeWebPlugin } from '@trellis/sdk/testing/web-plugin';

const folder = resolve(import.meta.dirname, '..');

describeWebPlugin(folder);
