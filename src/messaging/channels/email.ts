import { type Send, Undeliverable } from '../delivery.ts';

/** Takes mail to a server. Rejects where that does not take it; `responseCode` is the server's, where it spoke. */
export type SendMail = (mail: {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly messageId: string;
}) => Promise<void>;

/** 535 and the like are the operator's affair and may pass. */
const isFinal = (code: number): boolean => code >= 550 && code < 560;

export const emailBy =
  (send: SendMail): Send =>
  async ({ id, address, payload }) => {
    const { subject, text } = payload as { subject: string; text: string };
    try {
      // the same at every attempt, so that whoever gets it twice can tell
      await send({ to: address, subject, text, messageId: `<${id}@fleetgate>` });
    } catch (error) {
      const { responseCode, message } = error as { responseCode?: number; message: string };
      if (responseCode !== undefined && isFinal(responseCode)) throw new Undeliverable(message);
      throw error;
    }
    return 'the server has taken it';
  };
