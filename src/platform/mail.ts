import type { Transporter } from 'nodemailer';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly attachments?: readonly {
    readonly filename: string;
    readonly content: Uint8Array;
    readonly contentType: string;
  }[];
  /** Message-ID header; generated if absent */
  readonly messageId?: string;
}

export interface Mailer {
  /** Rejects if the server does not take it. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

const TIMEOUT_MS = 10_000;

/** `smtp://user:password@host:587` or `smtps://…`. */
export function createMailer(url: string, from: string): Mailer {
  const { hostname, port, protocol, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  // loaded at first use, since few processes send e-mail
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      host: hostname,
      port: port === '' ? (secure ? 465 : 587) : Number(port),
      secure,
      ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
    });
  };
  let transport: Promise<Transporter> | undefined;
  return {
    async send({ attachments = [], ...mail }) {
      const files = attachments.map((each) => ({ ...each, content: Buffer.from(each.content) }));
      transport ??= open();
      await (await transport).sendMail({ from, ...mail, attachments: files });
    },
    close() {
      void transport?.then(
        (opened) => opened.close(),
        () => {},
      );
    },
  };
}
