import type { Rejection, StreamContext, StreamTarget } from '../../message.ts';
import { type Cut, openLink, sendInWindow } from '../link.ts';
import { LoginRefused, type Session } from '../sessions.ts';
import { dataPacket, LOGIN_REFUSALS, loginPacket, REFUSALS } from './ips.ts';

const LINE_END = 0x0a;

/** A line of text: an answer or a command. */
const cutLine: Cut<string> = (bytes) => {
  const end = bytes.indexOf(LINE_END);
  return end < 0 ? undefined : { frame: bytes.toString('latin1', 0, end).trim(), length: end + 1 };
};

export interface IpsSettings {
  readonly target: StreamTarget;
  readonly context: StreamContext;
  readonly password: string | undefined;
  /** packets that wait for their answer */
  readonly inFlight: number;
}

/** A connection of one device: the receiver assigns all data to the logged-in device. */
export async function openIpsSession(
  device: string,
  { target, context, password, inFlight }: IpsSettings,
): Promise<Session> {
  const link = await openLink(target, context, cutLine);
  const answerTo = async (type: string): Promise<string> => {
    for (;;) {
      const line = await link.read();
      if (line.startsWith(`#A${type}#`)) return line.slice(type.length + 3);
    }
  };
  try {
    link.write(loginPacket(device, password));
    const answer = await answerTo('L');
    if (answer !== '1') {
      const refusal = LOGIN_REFUSALS[answer];
      if (refusal !== undefined) throw new LoginRefused(`login: ${refusal}`);
      throw new Error(`the receiver answers the login with ${answer.slice(0, 20)}`);
    }
  } catch (error) {
    link.close();
    throw error;
  }
  return {
    async send(reports) {
      const rejections: Rejection[] = [];
      try {
        await sendInWindow(link, reports, inFlight, {
          encode: dataPacket,
          async answered({ message }) {
            const answer = await answerTo('D');
            if (answer === '1') return;
            const reason = REFUSALS[answer];
            if (reason === undefined) throw new Error(`the receiver answers with ${answer.slice(0, 20)}`);
            rejections.push({ message, reason: `answer ${answer}: ${reason}` });
          },
        });
        return rejections;
      } catch (error) {
        // late answers would be matched with later packets
        link.close();
        throw error;
      }
    },
    isOpen: link.isOpen,
    close: link.close,
  };
}
