import { Container, Emitter, type Disposable, type Registries } from '@trellis/core';
import { render, type RenderResult } from '@testing-library/react';
import { Component, useEffect, useState, type ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import type { LiveEvent, ProjectEntity, UserEntity } from '../shared/index.ts';
import {
  ApiError,
  createWebRegistries,
  WebHostContext,
  type ApiClient,
  type ApiRequest,
  type ConfirmQuestion,
  type ErrorSource,
  type OpenTab,
  type SchemaFormProps,
  type ServerData,
  type ToastMessage,
  type UserStorage,
  type WebHost,
  type WebRegistries,
} from '../web/index.ts';
import { englishTexts } from '../web/grid/grid-texts.ts';

/** Answers by `METHOD /path`, or one function for all. A function may throw `ApiError` to refuse. @public */
export type FakeApi =
  Readonly<Record<string, unknown>> | ((request: ApiRequest & { readonly method: string }) => unknown);

/** An answer of the fake server with headers beside its body. @public */
export class FakeResponse {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: unknown, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.headers = headers;
  }
}

/** What the host of a test knows and answers. @public */
export interface MemoryHostOptions {
  /** Items to be found in the registries. */
  readonly registries?: { readonly [Id in keyof WebRegistries]?: readonly WebRegistries[Id][] };
  /** What the server answers. Without an answer a request is refused with 404. */
  readonly api?: FakeApi;
  /** Who is signed in; a plain member by default, `null` for a guest. */
  readonly user?: Partial<UserEntity> | null;
  readonly project?: ProjectEntity;
  /** What the person answers to a question. Default: yes. */
  readonly confirm?: (question: ConfirmQuestion) => boolean;
  /** Where the router stands. Default `/`. */
  readonly route?: string;
}

/** A host that lives in memory, and what happened to it. @public */
export interface MemoryHost {
  readonly host: WebHost;
  readonly registries: Registries<WebRegistries>;
  readonly services: Container;
  readonly requests: readonly ApiRequest[];
  readonly toasts: readonly ToastMessage[];
  readonly questions: readonly ConfirmQuestion[];
  /** What was told with `reportError`. */
  readonly reports: readonly {
    readonly source: ErrorSource;
    readonly where: string;
    readonly error: unknown;
  }[];
  /** Where `navigate` went. */
  readonly visited: readonly string[];
  /** Lets an event arrive on the live channel. */
  receive(event: LiveEvent): void;
}

const member: UserEntity = {
  id: 'us_test',
  email: 'member@example.com',
  firstname: null,
  lastname: null,
  email_verified: true,
  roles: { user: true },
};

/** Makes a host in memory: real registries, a fake server, and a record of what was asked and said. @public */
export function createMemoryHost(options: MemoryHostOptions = {}): MemoryHost {
  const registries = fillRegistries(options.registries ?? {});
  const services = new Container();
  const requests: ApiRequest[] = [];
  const toasts: ToastMessage[] = [];
  const questions: ConfirmQuestion[] = [];
  const reports: { source: ErrorSource; where: string; error: unknown }[] = [];
  const visited: string[] = [];
  const storages = new Map<string, UserStorage>();
  const live = new Emitter<LiveEvent>();
  const invalidated = new Emitter<readonly string[]>();
  const api = createFakeApi(options.api ?? {}, requests);
  const host: WebHost = {
    api,
    t: englishTexts,
    registry: (id) => registries.get(id),
    get: (token) => services.get(token),
    find: (token) => (services.has(token) ? services.get(token) : undefined),
    isPluginEnabled: () => true,
    toast: (message) => void toasts.push(message),
    confirm: (question) => {
      questions.push(question);
      return Promise.resolve(options.confirm?.(question) ?? true);
    },
    live: {
      connected: true,
      subscribe: (request, listener) =>
        asPlain(
          live.event((event) => {
            if ('tableId' in event && event.tableId === request.tableId) listener(event);
          }),
        ),
      onEvent: (listener) => asPlain(live.event(listener)),
      isOwn: () => Promise.resolve(false),
    },
    session: createSession(options.user),
    shell: createShell(options),
    userStorageOf(owner) {
      const storage = storages.get(owner) ?? createStorage();
      storages.set(owner, storage);
      return storage;
    },
    navigate: (path) => void visited.push(path),
    SchemaForm: PlainForm,
    Boundary: PlainBoundary,
    reportError: (source, where, error) => void reports.push({ source, where, error }),
    useServerData: (request, { tags = [] } = {}) => usePlainData(api, invalidated, request, tags),
    invalidate: (tags) => invalidated.fire(tags),
  };
  return {
    host,
    registries,
    services,
    requests,
    toasts,
    questions,
    reports,
    visited,
    receive: (event) => live.fire(event),
  };
}

/** Draws a component as the host would, with a host in memory around it. @public */
export function renderWithHost(ui: ReactNode, options: MemoryHostOptions = {}): RenderResult & MemoryHost {
  const memory = createMemoryHost(options);
  const result = render(ui, {
    wrapper: ({ children }) => (
      <MemoryRouter initialEntries={[options.route ?? '/']}>
        <WebHostContext value={memory.host}>{children}</WebHostContext>
      </MemoryRouter>
    ),
  });
  return { ...result, ...memory };
}

function fillRegistries(items: NonNullable<MemoryHostOptions['registries']>): Registries<WebRegistries> {
  const registries = createWebRegistries();
  for (const id of Object.keys(items) as (keyof WebRegistries)[]) {
    const registry = registries.get(id);
    // Both sides are of the same id, which the compiler cannot see in a loop.
    for (const item of items[id] ?? []) registry.register(item as never, 'test');
  }
  return registries;
}

function createFakeApi(answers: FakeApi, requests: ApiRequest[]): ApiClient {
  const answerTo = (request: ApiRequest): unknown => {
    const method = request.method ?? 'GET';
    if (typeof answers === 'function') return answers({ ...request, method });
    const key = `${method} ${request.path}`;
    if (!Object.hasOwn(answers, key)) {
      throw new ApiError(404, `The test has no answer for '${key}'; add one to 'api'.`);
    }
    const answer = answers[key];
    return typeof answer === 'function' ? (answer as (request: ApiRequest) => unknown)(request) : answer;
  };
  const respond = async (request: ApiRequest): Promise<FakeResponse> => {
    requests.push(request);
    await Promise.resolve();
    const answer = await answerTo(request);
    return answer instanceof FakeResponse ? answer : new FakeResponse(answer, {});
  };
  return {
    request: async <T,>(request: ApiRequest) => (await respond(request)).body as T,
    send: async <T,>(request: ApiRequest) => {
      const { body, headers } = await respond(request);
      return { data: body as T, status: 200, headers };
    },
    download: async (request) => {
      await respond(request);
    },
  };
}

/** The same shape as the SDK's: `dispose` gives nothing back. */
function asPlain(subscription: Disposable): { dispose(): void } {
  return { dispose: () => void subscription.dispose() };
}

function createSession(user: MemoryHostOptions['user']): WebHost['session'] {
  const changed = new Emitter<void>();
  let current = user === null ? undefined : { ...member, ...user };
  const set = (next: UserEntity | undefined) => {
    current = next;
    changed.fire();
    return Promise.resolve();
  };
  return {
    get user() {
      return current;
    },
    get status() {
      return current === undefined ? ('guest' as const) : ('signedIn' as const);
    },
    get superAdmin() {
      return current?.roles.super === true;
    },
    signIn: () => set({ ...member, ...user }),
    signOut: () => set(undefined),
    onDidChange: (listener) => asPlain(changed.event(listener)),
    token: () => (current === undefined ? undefined : 'test-token'),
  };
}

function createShell({ project, user }: MemoryHostOptions): WebHost['shell'] {
  const changed = new Emitter<void>();
  const state = {
    context: {
      signedIn: user !== null,
      superAdmin: user?.roles?.super === true,
      project,
      table: undefined,
      view: undefined,
    } as WebHost['shell']['context'],
    tabs: [] as readonly OpenTab[],
    activeTab: undefined as OpenTab | undefined,
    dark: false,
    themeId: 'default',
  };
  const set = (patch: Partial<typeof state>) => {
    Object.assign(state, patch, { context: { ...state.context, ...patch.context } });
    changed.fire();
  };
  const isSame = (left: OpenTab, right: OpenTab) => left.type === right.type && left.key === right.key;
  return {
    get context() {
      return state.context;
    },
    get tabs() {
      return state.tabs;
    },
    get activeTab() {
      return state.activeTab;
    },
    get dark() {
      return state.dark;
    },
    get themeId() {
      return state.themeId;
    },
    setContext: (patch) => set({ context: { ...state.context, ...patch } }),
    openTab: (tab) =>
      set({ tabs: [...state.tabs.filter((other) => !isSame(other, tab)), tab], activeTab: tab }),
    nameTabs: () => undefined,
    closeTab: (tab) => {
      const tabs = state.tabs.filter((other) => !isSame(other, tab));
      set({ tabs, activeTab: tabs.at(-1) });
    },
    setDark: (dark) => set({ dark }),
    setTheme: (themeId) => set({ themeId }),
    openSettings: () => undefined,
    onDidChange: (listener) => asPlain(changed.event(listener)),
  };
}

function createStorage(): UserStorage {
  const values = new Map<string, unknown>();
  return {
    get: <T,>(key: string) => values.get(key) as T | undefined,
    set: (key, value) => void values.set(key, value),
    delete: (key) => void values.delete(key),
  };
}

interface PlainData {
  /** The request that the answer belongs to. */
  readonly of: string;
  readonly data?: unknown;
  readonly error?: ApiError;
}

function usePlainData<T>(
  api: ApiClient,
  invalidated: Emitter<readonly string[]>,
  request: ApiRequest | undefined,
  tags: readonly string[],
): ServerData<T> {
  const [state, setState] = useState<PlainData>({ of: '' });
  const [round, setRound] = useState(0);
  const key = request === undefined ? '' : JSON.stringify(request);
  const tagKey = tags.join('\n');
  useEffect(() => {
    if (key === '') return undefined;
    let current = true;
    api.request<unknown>(JSON.parse(key) as ApiRequest).then(
      (data) => current && setState({ of: key, data }),
      (error: unknown) => current && setState({ of: key, error: error as ApiError }),
    );
    return () => {
      current = false;
    };
  }, [api, key, round]);
  useEffect(() => {
    const subscription = invalidated.event((changed) => {
      if (changed.some((tag) => tagKey.split('\n').includes(tag))) setRound((before) => before + 1);
    });
    return () => void subscription.dispose();
  }, [invalidated, tagKey]);
  const known = state.of === key && key !== '';
  return {
    data: known ? (state.data as T | undefined) : undefined,
    error: known ? state.error : undefined,
    isLoading: key !== '' && !known,
    isFetching: key !== '' && !known,
    refetch: () => setRound((before) => before + 1),
  };
}

/** A text field per property: enough to see that a form is asked for and answered. */
function PlainForm({ schema, value, onChange, problems = {} }: SchemaFormProps) {
  return (
    <div>
      {Object.entries(schema.properties ?? {}).map(([name, property]) => (
        <label key={name}>
          {property.title ?? name}
          <input
            value={typeof value[name] === 'string' ? value[name] : ''}
            onChange={(event) => onChange({ ...value, [name]: event.target.value })}
          />
          {problems[`/${name}`]}
        </label>
      ))}
    </div>
  );
}

interface PlainBoundaryProps {
  readonly source: ErrorSource;
  readonly what: string;
  readonly children: ReactNode;
}

class PlainBoundary extends Component<PlainBoundaryProps, { readonly error: Error | undefined }> {
  override readonly state = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render(): ReactNode {
    const error: Error | undefined = this.state.error;
    return error === undefined ? this.props.children : <p role="alert">{(error as Error).message}</p>;
  }
}
