import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { AuthorFolder } from '../package/outside-folder.ts';
import { launchBrowser } from './browser.ts';
import { shipToNewFolder, startBuiltServer, type BuiltServer } from './built-product.ts';
import { createProject, createTable, newPerson, signIn, signUp, type Person } from './person.ts';

/** A plugin that an author creates from a template, and its next version. */
export interface Walked {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly isJavaScript?: boolean;
  /** Replacements of the template's texts in the next version, by file. */
  readonly changes: Readonly<Record<string, readonly (readonly [string, string])[]>>;
}

/** A call that an external service received. */
export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** An author's folder, a running product with a browser, and a service that plugins call. */
export class AuthorWalk {
  readonly #outside = new AuthorFolder();
  #dataDir = '';
  #server: BuiltServer | undefined;
  url = '';
  /** The service's address. */
  service = '';
  readonly heard: Heard[] = [];
  readonly #service = createServer((request, response) => {
    void this.#hear(request).then((content) => response.end(content));
  });
  readonly #files = new Map<string, Buffer>();
  #browser: Browser | undefined;
  #ada: Person | undefined;
  /** The page of the table. */
  table = '';
  #second: Person | undefined;

  get ada(): Person {
    if (this.#ada === undefined) throw new Error('The walk has not begun.');
    return this.#ada;
  }

  /** The same account in another browser, whose page is never reloaded. */
  get second(): Person {
    if (this.#second === undefined) throw new Error('The walk has not begun.');
    return this.#second;
  }

  get browser(): Browser {
    if (this.#browser === undefined) throw new Error('The walk has not begun.');
    return this.#browser;
  }

  async begin(): Promise<void> {
    this.#outside.prepare();
    this.#service.listen(0, '127.0.0.1');
    await once(this.#service, 'listening');
    this.service = `http://127.0.0.1:${(this.#service.address() as AddressInfo).port}`;
    this.#dataDir = await shipToNewFolder([]);
    // Mail needs an address to link to, and addresses that members type may lead to the test's service.
    const env = { TRELLIS_SITE_URL: 'http://trellis.example', TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' };
    this.#server = startBuiltServer(this.#dataDir, env);
    [this.url, this.#browser] = await Promise.all([this.#server.listening(), launchBrowser()]);
    this.#ada = await newPerson(this.browser, this.url);
    await signUp(this.ada, this.url, 'ada@example.com');
    await createProject(this.ada, 'Shop');
    await createTable(this.ada, 'Things');
    this.table = this.ada.page.url();
    this.#second = await newPerson(this.browser, this.url);
    await signIn(this.#second, this.url, 'ada@example.com');
    await this.#second.page.goto(this.table);
  }

  /** Creates an account whose page is not opened. */
  async signUpElsewhere(email: string): Promise<void> {
    const { status } = await fetch(`${this.url}/api/v1/auth/user/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'Passw0rd!' }),
    });
    expect(status).toBe(200);
  }

  async end(): Promise<void> {
    await this.#browser?.close();
    await this.#server?.end('SIGTERM');
    await rm(this.#dataDir, { recursive: true, force: true });
    this.#service.close();
    this.#outside.dispose();
  }

  /** Stores what is uploaded, and returns it. */
  async #hear(request: IncomingMessage): Promise<Buffer | string> {
    const { method = '', url = '', headers } = request;
    const content = await buffer(request);
    const { authorization } = headers;
    this.heard.push({ method, path: url, authorization, body: content.toString() });
    this.#service.emit('heard');
    if (method === 'PUT') this.#files.set(url, content);
    return (method === 'GET' && this.#files.get(url)) || '{}';
  }

  /** Resolves when the service has received this many calls. */
  async hearing(count: number): Promise<void> {
    while (this.heard.length < count) await once(this.#service, 'heard');
  }

  /** Creates a plugin from a template, and packs it. @returns its folder */
  create({ kind, id, name, isJavaScript = false }: Walked): string {
    const language = isJavaScript ? ['--javascript'] : [];
    const made = this.#outside.create(
      id,
      '--template',
      kind,
      '--name',
      name,
      '--sdk',
      `file:${this.#outside.sdk}`,
      ...language,
    );
    expect(made).toMatchObject({ status: 0 });
    const folder = join(this.#outside.path, id);
    this.#pack(folder);
    return folder;
  }

  #pack(folder: string): void {
    expect(this.#outside.trellisPlugin(['pack'], folder)).toMatchObject({ status: 0 });
  }

  /** Creates the next version of a plugin, and packs it. */
  change(folder: string, { id, changes }: Walked): void {
    const all = {
      ...changes,
      'plugin.json': [...(changes['plugin.json'] ?? []), ['"0.1.0"', '"0.2.0"'] as const],
    };
    for (const [file, replaced] of Object.entries(all)) {
      let text = readFileSync(join(folder, file), 'utf8');
      for (const [before, after] of replaced) {
        expect(text).toContain(before);
        text = text.replace(before, after);
      }
      this.#outside.write({ [`${id}/${file}`]: text });
    }
    this.#pack(folder);
  }

  button(name: string) {
    return this.ada.page.getByRole('button', { name, exact: true });
  }

  store() {
    return this.ada.page.goto(`${this.url}/#/app-store`);
  }

  /** Uploads an archive, agrees to what it asks for, and installs it. */
  async install(folder: string, plugin: Walked, version: string, asked?: RegExp): Promise<void> {
    const { page } = this.ada;
    const { id, name } = plugin;
    const isNew = version === '0.1.0';
    await this.store();
    await this.button('Install').click();
    await page.getByLabel('Archive of a plugin').setInputFiles(join(folder, `${id}-${version}.tgz`));
    const sheet = page.getByRole('dialog', { name: isNew ? `Install ${name} ` : `${name}: ` });
    await sheet.getByText('Checksum').waitFor();
    if (asked !== undefined) await sheet.getByRole('checkbox', { name: asked }).waitFor();
    for (const box of await sheet.getByRole('checkbox').all()) await box.check();
    await sheet.getByRole('button', { name: isNew ? 'Install' : 'Update' }).click();
    await page.getByText(isNew ? `${name} is installed` : `${name} is now ${version}`).waitFor();
  }

  async switchOn({ name }: Walked): Promise<void> {
    await this.button('Switch on').click();
    await this.ada.page.getByText(`${name} is on`).waitFor();
  }

  /** Fills in a new plugin's required settings, and enables it. */
  async setUp({ name }: Walked, settings: Readonly<Record<string, string>>): Promise<void> {
    await this.button('Switch on').click();
    const dialog = this.ada.page.getByRole('dialog', { name: `Settings of ${name}` });
    for (const [label, text] of Object.entries(settings))
      await dialog.getByLabel(new RegExp(`^${label}`)).fill(text);
    await this.button('Save and switch on').click();
    await this.ada.page.getByText(`${name} is on`).waitFor();
  }

  async takeBack({ name }: Walked): Promise<void> {
    await this.store();
    await this.button(`Put ${name} back to 0.1.0`).click();
    await this.ada.page.getByText(`${name} is now 0.1.0`).waitFor();
  }

  async remove({ name }: Walked): Promise<void> {
    const { page } = this.ada;
    await this.store();
    await this.button(`Remove ${name}`).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText(`${name} is removed`).waitFor();
    await page.getByRole('article', { name, exact: true }).waitFor({ state: 'detached' });
  }
}
