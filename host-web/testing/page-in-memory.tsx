import type { Container, Registries } from '@trellis/core';
import type { LiveEvent, LiveSubscribeAnswer, ProjectEntity, UserEntity } from '@trellis/sdk/shared';
import {
  WebHostContext,
  type ApiResponse,
  type ConfirmQuestion,
  type ToastMessage,
  type WebHost,
  type WebRegistries,
} from '@trellis/sdk/web';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { Transport, type TransportRequest } from '../api/transport.ts';
import { createWebHost, type HostOptions } from '../app/create-web-host.ts';
import type { HostParts } from '../app/host-parts.ts';
import { hostWithTexts, publicHost, type PublicHost } from '../app/HostProvider.tsx';
import { PartsContext } from '../base/parts-context.ts';
import type { LiveSocket } from '../live/socket-live-client.ts';
import { LocalMirror } from '../store/local-mirror.ts';
import { sessionSlice } from '../store/session-slice.ts';

export interface PageInMemoryOptions {
  /** The server: returns the answer to a request, or throws `ApiError`. */
  readonly answer: (request: TransportRequest) => Promise<ApiResponse<unknown>>;
  /** The signed-in person; undefined for a guest. */
  readonly user: UserEntity | undefined;
  readonly project: ProjectEntity | undefined;
  readonly onToast: (message: ToastMessage) => void;
  /** Answers a question. */
  readonly onQuestion: (question: ConfirmQuestion) => boolean | Promise<boolean>;
  readonly onReport: NonNullable<HostOptions['onReport']>;
  readonly onVisit: (path: string) => void;
}

/** The page's own host with a server, a live channel and a person that the test defines. */
export interface PageInMemory {
  readonly host: WebHost;
  readonly registries: Registries<WebRegistries>;
  readonly services: Container;
  /** Delivers an event on the live channel. */
  receive(event: LiveEvent): void;
  /** Provides the host to its children. */
  Frame(props: { readonly children: ReactNode }): ReactNode;
}

/** A transport whose answers come from a function. */
export class AnsweringTransport extends Transport {
  readonly #answer: PageInMemoryOptions['answer'];

  constructor(answer: PageInMemoryOptions['answer']) {
    super();
    this.#answer = answer;
  }

  override async send<T>(request: TransportRequest): Promise<ApiResponse<T>> {
    const answer = (await this.#answer(request)) as ApiResponse<T>;
    request.onHeaders?.(answer.headers);
    return answer;
  }
}

/** The server's end of the live channel: every table may be listened to. */
class MemorySocket implements LiveSocket {
  readonly connected = true;
  readonly active = true;
  readonly #listeners = new Map<string, (payload: never) => void>();

  connect(): void {}
  disconnect(): void {}

  on(event: string, listener: (payload: never) => void): void {
    this.#listeners.set(event, listener);
  }

  emit(_event: string, _payload: unknown, answer?: (answer: LiveSubscribeAnswer) => void): void {
    answer?.({ ok: true, seq: 0, resync: false });
  }

  receive(event: LiveEvent): void {
    this.#listeners.get('event')?.(event as never);
  }
}

export function createPageInMemory(options: PageInMemoryOptions): PageInMemory {
  const { user, project, onReport, onVisit } = options;
  const socket = new MemorySocket();
  const parts = createWebHost({
    transport: new AnsweringTransport(options.answer),
    mirror: new LocalMirror(undefined),
    // Reads and stores nothing outside the test.
    embedded: true,
    connectLive: () => socket,
    onReport,
  });
  if (user === undefined) parts.store.dispatch(sessionSlice.actions.ended());
  else {
    parts.token.set('test-token');
    parts.store.dispatch(sessionSlice.actions.started(user));
  }
  if (project !== undefined) parts.shell.setContext({ project });
  void parts.live.start();
  parts.live.onEvent((event) => void parts.liveCache.follow(event));
  follow(parts, options);
  const page: PublicHost = {
    ...publicHost(parts),
    navigate: onVisit,
    // The test's items belong to no plugin that could be disabled.
    isPluginEnabled: () => true,
  };
  const host = hostWithTexts(page, parts.translations.textsOf);
  return {
    host,
    registries: parts.registries,
    services: parts.container,
    receive: (event) => socket.receive(event),
    Frame: ({ children }) => (
      <PartsContext value={parts}>
        <Provider store={parts.store}>
          <WebHostContext value={host}>{children}</WebHostContext>
        </Provider>
      </PartsContext>
    ),
  };
}

/** Passes on each toast, and answers each question at once. */
function follow({ toasts, confirms }: HostParts, { onToast, onQuestion }: PageInMemoryOptions): void {
  let newest = 0;
  toasts.onDidChange(() => {
    for (const { id, ...message } of toasts.list()) {
      if (id <= newest) continue;
      newest = id;
      onToast(message);
    }
  });
  confirms.onDidChange(() => {
    const asked = confirms.current();
    if (asked !== undefined) queueMicrotask(() => asked.answer(onQuestion(asked.question)));
  });
}
