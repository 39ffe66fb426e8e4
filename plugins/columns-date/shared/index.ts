export { createTime, lastModifiedTime } from './stamps.ts';
export { time } from './time.ts';
export { year } from './year.ts';
