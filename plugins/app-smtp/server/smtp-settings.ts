/** The settings, as `plugin.json` describes them. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls' | 'none';
  readonly user: string;
  readonly password: string;
  readonly from: string;
  readonly fromName: string;
  readonly acceptsAnyCertificate: boolean;
}

/** What was set, with the usual port where none was; empty texts for what is missing. */
export function readSettings(values: Readonly<Record<string, unknown>>): SmtpSettings {
  const text = (key: string): string => (typeof values[key] === 'string' ? values[key].trim() : '');
  const security =
    values['security'] === 'tls' || values['security'] === 'none' ? values['security'] : 'starttls';
  const port = typeof values['port'] === 'number' ? values['port'] : security === 'tls' ? 465 : 587;
  return {
    host: text('host'),
    port,
    security,
    user: text('user'),
    password: typeof values['password'] === 'string' ? values['password'] : '',
    from: text('from'),
    fromName: text('fromName'),
    acceptsAnyCertificate: values['acceptsAnyCertificate'] === true,
  };
}

/** Whether a mail could leave: the server and the sender are known. */
export function isComplete({ host, from }: SmtpSettings): boolean {
  return host !== '' && from !== '';
}
