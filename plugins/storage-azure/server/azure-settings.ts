/** The place of the files, with the credentials. */
export interface AzurePlace {
  readonly account: string;
  /** Base64, as Azure shows it. */
  readonly key: string;
  readonly container: string;
  /** Of the container and the folder in it, with a slash at its end. */
  readonly url: URL;
}

/** Undefined while something is missing. */
export function readPlace(values: Readonly<Record<string, unknown>>): AzurePlace | undefined {
  const text = (name: string): string => (typeof values[name] === 'string' ? values[name].trim() : '');
  const account = text('account');
  const key = text('account_key');
  const container = text('container');
  if (account === '' || key === '' || container === '') return undefined;
  const endpoint = text('endpoint') || `https://${account}.blob.core.windows.net`;
  if (!URL.canParse(endpoint)) return undefined;
  const folders = text('prefix')
    .split('/')
    .filter((name) => !/^\.{0,2}$/.test(name));
  const url = new URL(endpoint);
  url.pathname = [url.pathname.replace(/\/+$/, ''), container, ...folders, ''].join('/');
  url.search = '';
  url.hash = '';
  return { account, key, container, url };
}
