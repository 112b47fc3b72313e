import type { OpenSender, Rejection, StreamContext, StreamTarget } from '../../message.ts';
import { openLink } from '../link.ts';
import type { Report } from '../report.ts';
import { senderOf } from '../sender.ts';
import { createSessions, LoginRefused, type Session } from '../sessions.ts';
import { CONNECTIONS, IN_FLIGHT } from '../settings.ts';
import { codeName, isAccepted, isRejected, OK } from './codes.ts';
import { dispatcherIdentity, objectNumbers, terminalIdentity } from './identity.ts';
import { SERVICE, type SubRecord } from './packet.ts';
import { partsOf } from './position.ts';
import { type Content, type EgtsSession, openSession, requireOk } from './session.ts';

/** EGTS: a connection for each terminal, or one of a dispatcher for all. */
export const openEgts: OpenSender = async (target, context) => {
  const { options } = target;
  const { identity = 'terminal' } = options;
  const numberOf = objectNumbers(options);
  const inFlight = Number(options['inFlight'] ?? IN_FLIGHT);
  const send = (session: EgtsSession, reports: readonly Report[], isOfTerminal: boolean) =>
    sendReports(session, reports, { numberOf, inFlight, isOfTerminal });
  if (identity === 'terminal') {
    const open = async (device: string): Promise<Session> => {
      const session = await openTerminal(device, numberOf(device), target, context);
      return { ...session, send: (reports) => send(session, reports, true) };
    };
    const reach = async (): Promise<void> => (await openLink(target, context, () => undefined)).close();
    return senderOf({ ...createSessions(open, Number(options['connections'] ?? CONNECTIONS)), reach });
  }
  const session = await openSession(target, context);
  if (identity === 'dispatcher') {
    await closingOnFailure(session, async () => {
      requireOk(await logIn(session, dispatcherIdentity(options), target), 'authentication');
    });
  }
  return senderOf({
    reach: async () => {},
    close: session.close,
    send: async (reports) => {
      const known = reports.filter(({ device }) => numberOf(device) !== undefined);
      const unknown = reports.filter(({ device }) => numberOf(device) === undefined);
      const rejections = unknown.map(({ message }) => ({ message, reason: NO_NUMBER }));
      return [...rejections, ...(await send(session, known, false))];
    },
  });
};

const NO_NUMBER = 'the device has no object number (option `objects`)';

/** Authenticates. Some receivers send no result code (option `resultCode`). */
async function logIn(session: EgtsSession, identity: SubRecord, { options }: StreamTarget): Promise<number> {
  const isOfTerminal = options['identity'] !== 'dispatcher';
  const { packet, records } = await session.exchange([
    { service: SERVICE.authentication, parts: [identity], isOfTerminal },
  ]);
  const code = packet === OK ? records[0]! : packet;
  return isAccepted(code) && options['resultCode'] !== false ? session.result() : code;
}

async function openTerminal(
  device: string,
  object: number | undefined,
  target: StreamTarget,
  context: StreamContext,
): Promise<EgtsSession> {
  const identity = terminalIdentity(device, object);
  if (identity === undefined) throw new LoginRefused(`${NO_NUMBER}, and its id is not an IMEI`);
  const session = await openSession(target, context);
  await closingOnFailure(session, async () => {
    const code = await logIn(session, identity, target);
    if (REFUSED_TERMINAL.has(code)) throw new LoginRefused(`authentication: ${codeName(code)}`);
    requireOk(code, 'authentication');
  });
  return session;
}

/** object or identifier not found, authentication denied */
const REFUSED_TERMINAL = new Set([146, 151, 153]);

async function closingOnFailure(session: EgtsSession, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    session.close();
    throw error;
  }
}

interface Settings {
  readonly numberOf: (device: string) => number | undefined;
  readonly inFlight: number;
  readonly isOfTerminal: boolean;
}

/** One packet after the other, each of up to `inFlight` records. */
async function sendReports(session: EgtsSession, reports: readonly Report[], settings: Settings): Promise<Rejection[]> {
  const rejections: Rejection[] = [];
  await closingOnFailure(session, async () => {
    for (let at = 0; at < reports.length; at += settings.inFlight) {
      rejections.push(...(await sendPacket(session, reports.slice(at, at + settings.inFlight), settings)));
    }
  });
  return rejections;
}

async function sendPacket(session: EgtsSession, reports: readonly Report[], settings: Settings): Promise<Rejection[]> {
  const { numberOf, isOfTerminal } = settings;
  const contents = reports.map(
    (report): Content => ({
      service: SERVICE.teledata,
      parts: partsOf(report),
      object: numberOf(report.device),
      time: report.time,
      isOfTerminal,
    }),
  );
  const { packet, records } = await session.exchange(contents);
  if (packet !== OK && reports.length > 1) {
    // the receiver does not say which record is the cause
    const alone: Rejection[] = [];
    for (const report of reports) alone.push(...(await sendPacket(session, [report], settings)));
    return alone;
  }
  return reports.flatMap(({ message }, at): Rejection[] => {
    const code = packet === OK ? records[at]! : packet;
    if (isAccepted(code)) return [];
    if (!isRejected(code)) throw new Error(`the receiver does not accept records: ${codeName(code)}`);
    return [{ message, reason: codeName(code) }];
  });
}
