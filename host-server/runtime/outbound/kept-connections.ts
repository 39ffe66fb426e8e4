import { Agent, type AgentOptions } from 'node:http';
import { Agent as SecureAgent, type AgentOptions as SecureAgentOptions } from 'node:https';
import type { OutboundTarget } from '@trellis/sdk/server';

/** Milliseconds for which an idle connection is kept: less than the five seconds after which most servers close it. */
const idleMs = 4000;
/** The most idle connections to one server. */
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

/** A connection is reused only for calls with the same checked address, so not when a name leads elsewhere by now. */
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

/** Keeps connections for calls of a protocol. Idle ones do not keep the process alive. */
export function keptConnections(protocol: string): Agent {
  return protocol === 'https:' ? kept['https:'] : kept['http:'];
}
