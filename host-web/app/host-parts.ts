import type { Clock, Container, ErrorBudget, HookRegistry, PluginManager, Registries } from '@trellis/core';
import type { ErrorSource, WebHooks, WebHost, WebPluginContext, WebRegistries } from '@trellis/sdk/web';
import type { AccessToken } from '../api/access-token.ts';
import type { HttpApiClient } from '../api/http-api-client.ts';
import type { ServerCache } from '../api/server-cache.ts';
import { createPartsHook } from '../base/parts-context.ts';
import type { ClientErrorReporter } from '../contain/client-error-reporter.ts';
import type { FeedbackParts } from '../feedback/parts.ts';
import type { Translations } from '../i18n/translations.ts';
import type { LiveCache } from '../live/live-cache.ts';
import type { SocketLiveClient } from '../live/socket-live-client.ts';
import type { PageParts } from '../pages/parts.ts';
import type { LeaveGuard } from '../shell/leave-guard.ts';
import type { LeftOutPlugins } from '../plugins/left-out-plugins.ts';
import type { SessionPoll } from '../session/session-poll.ts';
import type { Session } from '../session/session.ts';
import type { SyncedUserStorage } from '../session/user-storage.ts';
import type { HostStore } from '../store/store.ts';
import type { ThemeController } from '../theme/theme-controller.ts';

/** All parts of the page. Each folder declares the slice that its components use. */
export interface HostParts extends FeedbackParts, PageParts {
  readonly api: HttpApiClient;
  readonly budget: ErrorBudget;
  readonly cache: ServerCache;
  readonly clock: Clock;
  readonly container: Container;
  readonly embedded: boolean;
  readonly hooks: HookRegistry<WebHooks>;
  readonly live: SocketLiveClient;
  readonly liveCache: LiveCache;
  readonly plugins: PluginManager<WebPluginContext>;
  readonly isEnabled: (pluginId: string) => boolean;
  readonly poll: SessionPoll;
  readonly leaveGuard: LeaveGuard;
  readonly leftOut: LeftOutPlugins;
  readonly registries: Registries<WebRegistries>;
  readonly reporter: ClientErrorReporter;
  readonly session: Session;
  readonly store: HostStore;
  readonly theme: ThemeController;
  readonly token: AccessToken;
  readonly translations: Translations;
  readonly userStorage: SyncedUserStorage;
  readonly reportError: (source: ErrorSource, where: string, error: unknown) => void;
  readonly Boundary: WebHost['Boundary'];
  readonly useServerData: WebHost['useServerData'];
}

export const useHostParts = createPartsHook<HostParts>();
