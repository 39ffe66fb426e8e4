/** What the watchdog's thread is told. */
export interface WatchdogData {
  /** One counter, which the main thread raises as long as it turns. */
  readonly beats: SharedArrayBuffer;
  /** Seconds without a beat after which the process ends. */
  readonly limitSeconds: number;
  /** Bytes that the JavaScript of the main thread may have. */
  readonly heapLimit: number;
  /** Where it leaves word of the plugin that was busy. */
  readonly noteFile: string;
  readonly folders: PluginFolders;
}

/** URLs of folders, with a slash at the end, below which each plugin has a file or a folder with its id as name. */
export type PluginFolders = readonly string[];

/** The exit code of a process that its watchdog has ended. */
export const exitCode = 70;
