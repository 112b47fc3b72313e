import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

export interface Mailbox {
  readonly url: string;
  /** in the order of their arrival */
  readonly mails: ParsedMail[];
  /** the answer to the content of the next mails: a code of SMTP; undefined accepts */
  refusal: number | undefined;
  close(): Promise<void>;
}

/** A mail server of another project, which parses what it receives. */
export async function startMailbox(): Promise<Mailbox> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, callback) {
      simpleParser(stream).then((mail) => {
        if (mailbox.refusal !== undefined) {
          callback(Object.assign(new Error('refused'), { responseCode: mailbox.refusal }));
          return;
        }
        mailbox.mails.push(mail);
        callback();
      }, callback);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const mailbox: Mailbox = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails: [],
    refusal: undefined,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
  return mailbox;
}
