import { stripVTControlCharacters } from 'node:util';
import type { PluginAsks } from '../../shared/index.ts';

/** A plugin as a running product lists it. */
export interface ListedPlugin {
  readonly id: string;
  /** The one in use. */
  readonly version: string;
  readonly state: string;
  readonly reason?: string | null;
  /** What went wrong with it since the product started, the newest first; `at` is in ISO 8601. */
  readonly errors?: readonly { readonly at: string; readonly where: string; readonly message: string }[];
}

/** What another look at the folders of plugins gave. */
export interface RescanAnswer {
  readonly failed: readonly { readonly id: string; readonly reason: string; readonly code?: string }[];
}

/** Nobody answers at the address of the product. */
export class ProductAway extends Error {}

/** The product does not do what it was asked to do. */
export class ProductRefusal extends Error {
  /** @param code of the product's errors, where it gave one */
  constructor(
    message: string,
    readonly code: string | undefined,
  ) {
    super(message);
  }
}

/** Characters of mistakes that a page shows. */
const longestMistakes = 4000;

/** A running product, as an administrator asks it. */
export class ProductClient {
  constructor(
    private readonly server: string,
    private readonly token: string,
  ) {}

  /**
   * Signs in by `TRELLIS_EMAIL` and `TRELLIS_PASSWORD`, or takes the token in `TRELLIS_TOKEN`, which signing in gave.
   *
   * @throws Error with the way out where neither is there, or the product refuses them
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

  /** Lets the product look at the folders of plugins again: another build takes the place of the one that runs. */
  rescan(): Promise<RescanAnswer> {
    return this.ask('POST', '/api/v1/app-store/rescan');
  }

  async find(id: string): Promise<ListedPlugin | undefined> {
    const { list } = await this.ask<{ readonly list: readonly ListedPlugin[] }>(
      'GET',
      '/api/v1/app-store/plugins',
    );
    return list.find((plugin) => plugin.id === id);
  }

  /** @param consent what of it the person agrees to, as for `use` */
  async enable(id: string, consent: Partial<PluginAsks> = {}): Promise<void> {
    await this.ask('POST', `/api/v1/app-store/plugins/${id}/enable`, { consent });
  }

  /** Puts a version into use that the product has found. */
  async use(id: string, version: string, consent: Partial<PluginAsks>): Promise<void> {
    await this.ask('POST', `/api/v1/app-store/plugins/${id}/use`, { version, consent });
  }

  /**
   * Loads a version in development; one that runs gives way to it.
   *
   * @param agrees whether the person agrees to all that it asks for
   * @throws Error where the operator of the product does not allow that, or it asks for what nobody agreed to
   */
  load(archive: Buffer, name: string, agrees: boolean): Promise<ListedPlugin> {
    const form = new FormData();
    if (agrees) form.append('agree', 'all');
    form.append('archive', new Blob([archive as BlobPart]), name);
    return this.ask('POST', '/api/v1/app-store/dev', form);
  }

  /**
   * Shows on the pages of those who may install plugins what is wrong with one that somebody works on; without mistakes, takes that
   * away again. Whoever works on it has it in the terminal as well, so a product that cannot show it is no matter.
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
    throw new ProductRefusal(`${method} ${address.pathname} answered ${answer.status}: ${msg}`, code);
  }
}

/** The product's own words, where they are there. */
function refusalIn(text: string): { readonly msg: string; readonly code?: string } {
  try {
    return { msg: text, ...(JSON.parse(text) as { readonly msg?: string; readonly code?: string }) };
  } catch {
    return { msg: text };
  }
}
