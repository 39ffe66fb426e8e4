import { defineWebPlugin } from '@trellis/sdk/web';

export default defineWebPlugin({ setup() {} });
