import { createSchedulesPlugin } from './create-plugin.ts';

export default createSchedulesPlugin();
