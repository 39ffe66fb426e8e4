import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addressKind } from './address-kind.ts';
import { HostOutbound } from './host-outbound.ts';

const pointing = (addresses: readonly string[], allow: readonly string[] = []) =>
  new HostOutbound({
    allow,
    lookUp: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  });
const webhook = { purpose: 'webhook' };

describe('the outbound gate', () => {
  test('refuses this machine and private networks in every spelling that the resolver understands', async () => {
    const gate = new HostOutbound({ allow: [] });
    for (const host of [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '0',
      '0.0.0.0',
      '10.1.2.3',
      '172.31.255.255',
      '192.168.0.1',
      '100.64.0.1',
      '169.254.169.254',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '[::1]',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::ffff:0:0',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b::10.0.0.1',
      '64:ff9b:1::1',
      'fe80::1',
      'fec0::1',
      'fc00::1',
      'fd00:ec2::254',
      'ff02::1',
      '2002:7f00:1::',
      '2001:0:0:0::1',
      'localhost',
    ]) {
      await expect(gate.resolve(host, 80, webhook)).rejects.toMatchObject({
        code: 'OUTBOUND_REFUSED',
        status: 400,
      });
    }
  });

  test('has nobody call this server itself, whatever is allowed, and leaves other ports of the machine alone', async () => {
    const loopback = ['127.0.0.0/8', '::1'];
    const gate = new HostOutbound({ allow: loopback, ownPort: () => 8080 });
    const operator = { purpose: 'database', isSetBySuperAdmin: true };
    for (const host of ['127.0.0.1', '127.0.0.2', '127.1', '[::1]', '::ffff:127.0.0.1', 'localhost'])
      for (const request of [webhook, operator])
        await expect(gate.resolve(host, 8080, request)).rejects.toMatchObject({ code: 'OUTBOUND_OWN' });
    expect(await gate.resolve('127.0.0.1', 8081, webhook)).toEqual({ address: '127.0.0.1', family: 4 });
    const unopened = new HostOutbound({ allow: loopback, ownPort: () => undefined });
    expect((await unopened.resolve('127.0.0.1', 8080, webhook)).address).toBe('127.0.0.1');
  });

  test('leads nobody to the services of a cloud that trust its machines, also where they look public', async () => {
    const database = { purpose: 'database', isSetBySuperAdmin: true };
    for (const address of ['168.63.129.16', '100.100.100.200', 'fd20:ce::254', '::ffff:168.63.129.16']) {
      const refused = { code: 'OUTBOUND_REFUSED' };
      for (const request of [webhook, database])
        await expect(pointing([address]).resolve('a.test', 80, request)).rejects.toMatchObject(refused);
      const allowed = pointing([address], [address.replace('::ffff:', '')]);
      expect(await allowed.resolve('a.test', 80, webhook)).toMatchObject({ address });
    }
  });

  test('gives the very address back that it has checked', async () => {
    expect(await pointing(['93.184.216.34']).resolve('example.com', 443, webhook)).toEqual({
      address: '93.184.216.34',
      family: 4,
    });
    expect(await pointing(['2606:4700::1111']).resolve('example.com', 443, webhook)).toEqual({
      address: '2606:4700::1111',
      family: 6,
    });
    await expect(
      pointing(['64:ff9b::5db8:d822']).resolve('example.com', 443, webhook),
    ).resolves.toBeDefined();
  });

  test('refuses a name of which one address is private, a port that is none, and a name that nobody knows', async () => {
    await expect(
      pointing(['93.184.216.34', '10.0.0.1']).resolve('a.test', 443, webhook),
    ).rejects.toMatchObject({
      code: 'OUTBOUND_REFUSED',
    });
    for (const port of [0, -1, 65_536, 1.5, Number.NaN]) {
      await expect(pointing(['93.184.216.34']).resolve('a.test', port, webhook)).rejects.toMatchObject({
        code: 'OUTBOUND_REFUSED',
      });
    }
    const unknown = new HostOutbound({
      allow: [],
      lookUp: async () => Promise.reject(new Error('ENOTFOUND')),
    });
    for (const gate of [unknown, pointing([])]) {
      await expect(gate.resolve('a.test', 443, webhook)).rejects.toMatchObject({
        code: 'OUTBOUND_HOST_UNKNOWN',
      });
    }
  });

  test('opens for the ranges of the operator, and for private addresses that a super admin has set', async () => {
    const allow = ['10.0.0.0/8', '192.168.1.7', 'fd12::/16'];
    for (const address of ['10.9.9.9', '192.168.1.7', '::ffff:10.0.0.1', 'fd12::5']) {
      await expect(pointing([address], allow).resolve('a.test', 1, webhook)).resolves.toMatchObject({
        address,
      });
    }
    for (const address of ['192.168.1.8', 'fd13::5', '127.0.0.1']) {
      await expect(pointing([address], allow).resolve('a.test', 1, webhook)).rejects.toThrow(/private/);
    }
    const database = { purpose: 'database', isSetBySuperAdmin: true };
    await expect(pointing(['127.0.0.1']).resolve('localhost', 5432, database)).resolves.toBeDefined();
    await expect(pointing(['169.254.169.254']).resolve('a.test', 80, database)).rejects.toThrow(/private/);
  });

  test('sees the same in an IPv4 address, its mapped form and its NAT64 form', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(addressKind(`::ffff:${address}`)).toBe(addressKind(address));
        expect(addressKind(`64:ff9b::${address}`)).toBe(addressKind(address));
      }),
    );
  });
});
