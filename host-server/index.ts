export { createHost, type Host, type HostOptions } from './host.ts';
export { loadConfig, type Config } from './runtime/config/config.ts';
