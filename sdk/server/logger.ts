/**
 * A structured log. `details` are fields of the line. Secrets are kept out: the values of the settings that the schema calls
 * `secret` wherever they stand, and fields with names like `apiKey` or `password`.
 * @public
 */
export interface Logger {
  debug(message: string, details?: object): void;
  info(message: string, details?: object): void;
  warn(message: string, details?: object): void;
  error(message: string, details?: object): void;
}
