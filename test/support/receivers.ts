import { createServer as createHttp, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** what is answered from now on; undefined: nothing */
  answer: (request: Received) => { readonly status: number; readonly body?: string } | undefined;
  close(): Promise<void>;
}

/** An HTTP server that keeps what it is sent. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) };
      received.push(one);
      const answer = receiver.answer(one);
      if (answer !== undefined) response.writeHead(answer.status).end(answer.body ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: () => ({ status: 204 }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

export interface MailServer {
  readonly url: string;
  /** mails, as they came over the wire */
  readonly mails: string[];
  /** what is said to a recipient; by default that he is welcome */
  recipient: (line: string) => string;
  close(): Promise<void>;
}

/** Says yes to all that a client of SMTP says, unless configured otherwise. */
export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = [];
  const server = createServer((socket) => {
    let data: string | undefined;
    socket.write('220 ready\r\n');
    socket.on('error', () => {});
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      if (data !== undefined) {
        data += chunk;
        if (!data.endsWith('\r\n.\r\n')) return;
        mails.push(data);
        data = undefined;
        socket.write('250 taken\r\n');
        return;
      }
      if (/^DATA/m.test(chunk)) data = '';
      const say = /^RCPT/m.test(chunk) ? mail.recipient(chunk) : /^QUIT/m.test(chunk) ? '221 bye' : '250 ok';
      socket.write(data === undefined ? `${say}\r\n` : '354 go on\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const mail: MailServer = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    recipient: () => '250 ok',
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mail;
}
