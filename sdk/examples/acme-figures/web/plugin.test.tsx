import { resolve } from 'node:path';
import { describeWebPlugin } from '@trellis/sdk/testing/web-plugin';

describeWebPlugin(resolve(import.meta.dirname, '..'));
