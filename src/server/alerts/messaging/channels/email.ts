import { type Send, Undeliverable } from '../delivery.ts';

/** Sends mail to a server. Rejects if the server refuses it; `responseCode` is the server's, if it answered. */
export type SendMail = (mail: {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly messageId: string;
}) => Promise<void>;

/** 535 and the like are a matter of configuration and may be temporary. */
const isFinal = (code: number): boolean => code >= 550 && code < 560;

export const emailBy =
  (send: SendMail): Send =>
  async ({ id, address, payload }) => {
    const { subject, text } = payload as { subject: string; text: string };
    try {
      // the same for every attempt, so that duplicates can be detected
      await send({ to: address, subject, text, messageId: `<${id}@fleetgate>` });
    } catch (error) {
      const { responseCode, message } = error as { responseCode?: number; message: string };
      if (responseCode !== undefined && isFinal(responseCode)) throw new Undeliverable(message);
      throw error;
    }
    return 'the server has taken it';
  };
