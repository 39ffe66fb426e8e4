export { createPageInMemory, type PageInMemory, type PageInMemoryOptions } from './page-in-memory.tsx';
export { createPluginPage, type PluginPage } from './plugin-page.ts';
