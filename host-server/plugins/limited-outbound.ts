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
 * A plugin calls a host that its manifest does not list. That is a defect of the plugin and no refusal of whoever asked it for something,
 * so it is answered and told of as whatever else breaks there.
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

/** The outbound gate of a plugin from elsewhere: it leads to the hosts alone that its manifest lists, redirects included. */
export class LimitedOutbound implements Outbound {
  readonly #gate: Outbound;
  readonly #plugin: string;
  readonly #hosts: readonly string[];

  constructor(gate: Outbound, { name, contributes }: PluginManifest) {
    this.#gate = gate;
    this.#plugin = name;
    this.#hosts = contributes?.hosts ?? [];
  }

  async resolve(host: string, port: number, request: OutboundRequest): Promise<OutboundTarget> {
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
