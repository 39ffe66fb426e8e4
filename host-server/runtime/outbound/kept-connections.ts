import { Agent, type AgentOptions } from 'node:http';
import { Agent as SecureAgent, type AgentOptions as SecureAgentOptions } from 'node:https';
import type { OutboundTarget } from '@trellis/sdk/server';

/** Milliseconds for which a connection waits for its next call: less than the five seconds after which most servers close it. */
const idleMs = 4000;
/** Connections to one server that wait. */
const mostIdle = 50;

const options: AgentOptions & SecureAgentOptions = {
  keepAlive: true,
  timeout: idleMs,
  maxFreeSockets: mostIdle,
  scheduling: 'lifo',
};

/** The options of a request, with the address that was checked for it. */
interface CheckedOptions {
  readonly checked?: OutboundTarget;
}

/** A connection serves only calls for which the address it leads to was checked: where a name leads elsewhere, it is not used again. */
function nameOf({ checked }: CheckedOptions = {}, name: string): string {
  return `${checked?.address ?? ''} ${name}`;
}

class KeptAgent extends Agent {
  override getName(of?: Parameters<Agent['getName']>[0] & CheckedOptions): string {
    return nameOf(of, super.getName(of));
  }
}

class KeptSecureAgent extends SecureAgent {
  override getName(of?: Parameters<SecureAgent['getName']>[0] & CheckedOptions): string {
    return nameOf(of, super.getName(of));
  }
}

const kept = { 'http:': new KeptAgent(options), 'https:': new KeptSecureAgent(options) };

/** The connections that are kept for calls of a protocol. Those that wait do not keep the process running. */
export function keptConnections(protocol: string): Agent {
  return protocol === 'https:' ? kept['https:'] : kept['http:'];
}
