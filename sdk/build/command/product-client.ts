import { stripVTControlCharacters } from 'node:util';
import type { PluginAsks } from '../../shared/index.ts';

/** A plugin as a running product lists it. */
export interface ListedPlugin {
  readonly id: string;
  /** The version in use. */
  readonly version: string;
  readonly state: string;
  readonly reason?: string | null;
  /** Its errors since the product's start, newest first; `at` is in ISO 8601. */
  readonly errors?: readonly { readonly at: string; readonly where: string; readonly message: string }[];
}

/** The result of rescanning the plugin folders. */
export interface RescanAnswer {
  readonly failed: readonly { readonly id: string; readonly reason: string; readonly code?: string }[];
}

/** Nothing answers at the product's address. */
export class ProductAway extends Error {}

/** The product refused a request. */
export class ProductRefusal extends Error {
  /** @param code the product's error code, if it gave one */
  constructor(
    message: string,
    readonly code: string | undefined,
    readonly status?: number,
  ) {
    super(message);
  }
}

/** Maximum characters of problems that a page shows. */
const longestMistakes = 4000;

/** A running product, used as an administrator. */
export class ProductClient {
  constructor(
    private readonly server: string,
    private readonly token: string,
  ) {}

  /**
   * Signs in with `TRELLIS_EMAIL` and `TRELLIS_PASSWORD`, or uses the token in `TRELLIS_TOKEN` from an earlier sign-in.
   *
   * @throws Error with the solution if both are missing, or the product refuses them
   */
  static async signIn(server: string, env: NodeJS.ProcessEnv): Promise<ProductClient> {
    const { TRELLIS_TOKEN: token, TRELLIS_EMAIL: email, TRELLIS_PASSWORD: password } = env;
    if (token !== undefined) return new ProductClient(server, token);
    if (email === undefined || password === undefined)
      throw new Error(
        'Who are you? Set TRELLIS_EMAIL and TRELLIS_PASSWORD to those of a super admin, or TRELLIS_TOKEN to the token that POST /api/v1/auth/user/signin answered them with; an API token is not enough.',
      );
    const guest = new ProductClient(server, '');
    const answer = await guest.ask<{ readonly token: string }>('POST', '/api/v1/auth/user/signin', {
      email,
      password,
    });
    return new ProductClient(server, answer.token);
  }

  /** @throws Error with the solution, if the person may not install plugins */
  async assertMayInstall(): Promise<void> {
    await this.list().catch((error: unknown) => {
      if (!(error instanceof ProductRefusal) || ![401, 403].includes(error.status ?? 0)) throw error;
      throw new Error(
        error.status === 401
          ? `${this.server} does not know who you are (${error.message}); sign in again for another TRELLIS_TOKEN, or set TRELLIS_EMAIL and TRELLIS_PASSWORD.`
          : `You are signed in at ${this.server}, and are no super admin: only they install plugins. Set TRELLIS_EMAIL and TRELLIS_PASSWORD to those of a super admin.`,
        { cause: error },
      );
    });
  }

  /** Lets the product scan the plugin folders again: a new build replaces the running one. */
  rescan(): Promise<RescanAnswer> {
    return this.ask('POST', '/api/v1/app-store/rescan');
  }

  async find(id: string): Promise<ListedPlugin | undefined> {
    return (await this.list()).find((plugin) => plugin.id === id);
  }

  private async list(): Promise<readonly ListedPlugin[]> {
    const { list } = await this.ask<{ readonly list: readonly ListedPlugin[] }>(
      'GET',
      '/api/v1/app-store/plugins',
    );
    return list;
  }

  /** @param consent what the person agrees to, as for `use` */
  async enable(id: string, consent: Partial<PluginAsks> = {}): Promise<void> {
    await this.ask('POST', `/api/v1/app-store/plugins/${id}/enable`, { consent });
  }

  /** Puts a version that the product has found into use. */
  async use(id: string, version: string, consent: Partial<PluginAsks>): Promise<void> {
    await this.ask('POST', `/api/v1/app-store/plugins/${id}/use`, { version, consent });
  }

  /**
   * Loads a development version, which replaces a running one.
   *
   * @param agrees whether the person agrees to all that it asks for
   * @throws Error if the product's operator does not allow that, or if it asks for something that nobody agreed to
   */
  load(archive: Buffer, name: string, agrees: boolean): Promise<ListedPlugin> {
    const form = new FormData();
    if (agrees) form.append('agree', 'all');
    form.append('archive', new Blob([archive as BlobPart]), name);
    return this.ask('POST', '/api/v1/app-store/dev', form);
  }

  /**
   * Shows a plugin's problems on the pages of people who may install plugins; without problems, removes them again. The author also
   * sees them in the terminal, so it does not matter if a product cannot show them.
   */
  async showMistakes(id: string, mistakes?: string): Promise<void> {
    const shown = {
      id,
      ...(mistakes !== undefined && {
        mistakes: stripVTControlCharacters(mistakes).slice(0, longestMistakes),
      }),
    };
    await this.ask('POST', '/api/v1/app-store/dev/mistakes', shown).catch(() => undefined);
  }

  private async ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const address = new URL(path, this.server);
    const isForm = body instanceof FormData;
    const answer = await fetch(address, {
      method,
      headers: {
        'xc-auth': this.token,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new ProductAway(`${this.server} does not answer; is the product running there?`, {
        cause: error,
      });
    });
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text) as Answer;
    const { msg, code } = refusalIn(text);
    throw new ProductRefusal(
      `${method} ${address.pathname} answered ${answer.status}: ${msg}`,
      code,
      answer.status,
    );
  }
}

/** The product's own message, if there is one. */
function refusalIn(text: string): { readonly msg: string; readonly code?: string } {
  try {
    return { msg: text, ...(JSON.parse(text) as { readonly msg?: string; readonly code?: string }) };
  } catch {
    return { msg: text };
  }
}
