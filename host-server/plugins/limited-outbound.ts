import type { PluginManifest } from '@trellis/core';
import type {
  Outbound,
  OutboundAnswer,
  OutboundCall,
  OutboundRequest,
  OutboundStream,
  OutboundTarget,
} from '@trellis/sdk/server';
import { isListedHost } from './listed-hosts.ts';
import { outboundFetch, outboundOpen } from '../runtime/outbound/outbound-fetch.ts';

/**
 * A plugin called a host that its manifest does not list. This is a defect of the plugin and not a refusal of the caller, so it
 * is answered and reported like other failures of the plugin.
 */
class HostNotListed extends Error {
  readonly code = 'OUTBOUND_NOT_LISTED';

  constructor(plugin: string, host: string) {
    super(
      `The plugin '${plugin}' may not call '${host}': its manifest does not list the host under contributes.hosts, so nobody agreed to it.`,
    );
    this.name = 'HostNotListed';
  }
}

/** The outbound gate of a plugin that is not part of the product: it only allows hosts that the manifest lists, also for redirects. */
export class LimitedOutbound implements Outbound {
  readonly #gate: Outbound;
  readonly #plugin: string;
  readonly #hosts: readonly string[];

  constructor(gate: Outbound, { name, contributes }: PluginManifest) {
    this.#gate = gate;
    this.#plugin = name;
    this.#hosts = contributes?.hosts ?? [];
  }

  async resolve(of: string, port: number, request: OutboundRequest): Promise<OutboundTarget> {
    // Read once: an object could be another text each time.
    const host = String(of);
    if (!this.#hosts.some((listed) => isListedHost(host.toLowerCase(), listed)))
      throw new HostNotListed(this.#plugin, host);
    return this.#gate.resolve(host, port, request);
  }

  fetch(url: string, call: OutboundCall): Promise<OutboundAnswer> {
    return outboundFetch(url, call, (host, port, request) => this.resolve(host, port, request));
  }

  open(url: string, call: OutboundCall): Promise<OutboundStream> {
    return outboundOpen(url, call, (host, port, request) => this.resolve(host, port, request));
  }
}
