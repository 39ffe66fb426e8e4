import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';

/** A person with their own browser. */
export interface Person {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The page's errors and violations of the content security policy. */
  readonly complaints: readonly string[];
}

const password = 'Passw0rd!';

/** Opens a browser context and records everything that a page should not report. */
export async function newPerson(
  browser: Browser,
  url: string,
  width = 1440,
  options: BrowserContextOptions = {},
): Promise<Person> {
  return personIn(await browser.newContext({ viewport: { width, height: 900 }, ...options }), url);
}

/** A person with a phone: a small screen, and touch. */
export async function newPersonWithPhone(browser: Browser, url: string): Promise<Person> {
  const viewport = { width: 390, height: 844 };
  return personIn(await browser.newContext({ viewport, hasTouch: true, isMobile: true }), url);
}

async function personIn(context: BrowserContext, url: string): Promise<Person> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
  // Everything that a page loads comes from this machine, including the API's documents and their libraries.
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^(?:https?|wss?):$/.test(protocol) && !/^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(hostname))
      complaints.push(`asked ${request.url()}`);
  });
  await page.goto(url);
  return { page, context, complaints };
}

export async function signUp({ page }: Person, url: string, email: string): Promise<void> {
  await page.goto(`${url}/#/user/authentication/signup`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('heading', { name: 'My Projects' }).waitFor();
}

export async function signIn({ page }: Person, url: string, email: string): Promise<void> {
  await page.goto(`${url}/#/user/authentication/signin`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'My Projects' }).waitFor();
}

/** Creates a blank project and stays in it. */
export async function createProject({ page }: Person, title: string): Promise<void> {
  await page.getByRole('button', { name: /Blank project/ }).click();
  await page.getByLabel('Project name').fill(title);
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('navigation', { name: 'Tables' }).waitFor();
}

export async function createTable({ page }: Person, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Create table' }).first().click();
  await page.getByLabel('Table name').fill(title);
  await page.getByRole('button', { name: 'Create table', exact: true }).last().click();
  await page.getByRole('grid').waitFor();
}

/**
 * Adds a column by the panel at the end of the header.
 *
 * @param fill fills in the type's further fields
 */
export async function addColumn(
  { page }: Person,
  title: string,
  type: string,
  fill: (panel: Locator) => Promise<void> = async () => {},
): Promise<void> {
  await page
    .getByRole('button', { name: /add (a )?column/i })
    .first()
    .click();
  const panel = page.getByRole('dialog', { name: 'Add column' });
  await panel.getByLabel('Name', { exact: true }).fill(title);
  await panel.getByRole('button', { name: /^Column type/ }).click();
  await panel.getByPlaceholder('Search types').fill(type);
  await panel
    .getByRole('option', { name: new RegExp(`^${type}`) })
    .first()
    .click();
  await fill(panel);
  // By the keyboard: the panel grows while the type's options load, and the button moves away from the mouse.
  await panel.getByRole('button', { name: 'Add column' }).press('Enter');
  await page.getByRole('columnheader', { name: new RegExp(title) }).waitFor();
}

/** Opens a table from the side bar. */
export async function openTable({ page }: Person, title: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Tables' })
    .getByRole('button', { name: title, exact: true })
    .click();
  // Another table may be shown until this one is loaded.
  await page.getByRole('grid', { name: `${title}, view ` }).waitFor();
}

/** Calls the server as the person who signed up. Calls to a starting plugin are repeated, as the server asks for. */
export async function signedInClient(url: string, email: string) {
  async function send(method: string, path: string, body?: unknown, token?: string): Promise<unknown> {
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...(token !== undefined && { 'xc-auth': token }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status === 503 && /"(?:PLUGIN|COLUMN_TYPE)_STARTING"/.test(text)) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return send(method, path, body, token);
    }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }
  const { token } = (await send('POST', '/api/v1/auth/user/signin', {
    email,
    password,
  })) as { readonly token: string };
  return <T>(method: string, path: string, body?: unknown) => send(method, path, body, token) as Promise<T>;
}
