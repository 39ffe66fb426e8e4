import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { readMultipartBody } from './multipart-body.ts';

test('an upload whose sender went before anybody looked at it is refused, and keeps nobody waiting', async () => {
  const limits = { bytes: 1000, time: 60_000, stall: 60_000 };
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write(
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 500\r\n\r\n--b',
  );
  const [request, response] = await asked;
  const closed = new Promise((resolve) => request.on('error', () => undefined).on('close', resolve));
  client.destroy();
  await closed;
  await expect(readMultipartBody(request, response, limits)).rejects.toMatchObject({ code: 'BODY_CUT' });
  server.close();
});
