/** The data that the watchdog's thread gets. */
export interface WatchdogData {
  /** A counter that the main thread increases as long as it is responsive. */
  readonly beats: SharedArrayBuffer;
  /** Seconds without a beat after which the process ends. */
  readonly limitSeconds: number;
  /** The most bytes of the main thread's heap. */
  readonly heapLimit: number;
  /** The file for the note about the plugin that was busy. */
  readonly noteFile: string;
  readonly folders: PluginFolders;
}

/** URLs of folders, with a trailing slash, in which each plugin has a file or folder named after its id. */
export type PluginFolders = readonly string[];

/** Asks the watchdog's thread for the bytes that plugins hold. */
export const measureRequest = 'measure';

/** The bytes that each plugin holds. */
export type HeldBytes = ReadonlyMap<string, number>;

/** The exit code of a process that its watchdog has ended. */
export const exitCode = 70;
