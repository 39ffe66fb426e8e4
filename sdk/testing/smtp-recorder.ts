import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A mail as it was transmitted. @public */
export interface RecordedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and text, with CRLF line ends. */
  readonly content: string;
}

/** A local mail server that keeps the mails it receives. @public */
export interface SmtpRecorder {
  readonly port: number;
  /** Resolves to the next mail that was not taken yet. */
  next(): Promise<RecordedMail>;
  close(): Promise<void>;
}

/** Listens on a free port of this machine only, without encryption and authentication. @public */
export async function startSmtpRecorder(): Promise<SmtpRecorder> {
  const waiting: RecordedMail[] = [];
  const takers: ((mail: RecordedMail) => void)[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    answer(socket, (mail) => {
      const taker = takers.shift();
      if (taker === undefined) waiting.push(mail);
      else taker(mail);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    next: () => {
      const mail = waiting.shift();
      return mail === undefined ? new Promise((resolve) => takers.push(resolve)) : Promise.resolve(mail);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The server's side of RFC 5321, as far as a sender without extensions needs it. */
function answer(socket: Socket, onMail: (mail: RecordedMail) => void): void {
  let text = '';
  let from = '';
  let to: string[] = [];
  let isContent = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  const inBrackets = (line: string) => /<(.*)>/.exec(line)?.[1] ?? '';
  function obey(line: string): void {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'MAIL') from = inBrackets(line);
    if (verb === 'RCPT') to.push(inBrackets(line));
    isContent = verb === 'DATA';
    say(isContent ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 ok');
    if (verb === 'QUIT') socket.end();
  }
  socket.setEncoding('utf8');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    text += chunk;
    for (;;) {
      const ending = isContent ? '\r\n.\r\n' : '\r\n';
      const end = text.indexOf(ending);
      if (end < 0) return;
      const part = text.slice(0, end);
      text = text.slice(end + ending.length);
      if (!isContent) obey(part);
      else {
        onMail({ from, to, content: part });
        [from, to, isContent] = ['', [], false];
        say('250 kept');
      }
    }
  });
  say('220 recorder');
}
