export { createPageInMemory, type PageInMemory, type PageInMemoryOptions } from './page-in-memory.tsx';
