/**
 * A structured log. `details` are fields of the line. Secrets are removed: the values of settings that the schema marks as
 * `secret`, wherever they occur, and fields with names like `apiKey` or `password`.
 * @public
 */
export interface Logger {
  debug(message: string, details?: object): void;
  info(message: string, details?: object): void;
  warn(message: string, details?: object): void;
  error(message: string, details?: object): void;
}
