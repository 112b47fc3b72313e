import {
  bytesParameter,
  type CommandDefinition,
  type CommandParameters,
  type EncodeContext,
  EVERY_MESSAGE,
  integerParameter,
  ticketNumber,
  Writer,
} from '#codec';
import { publication, withSum } from './packets.ts';

const STRUCTURE = 2;
const [IMEI, OUTPUT] = [2, 4];
const NEVER = 0x7fff_ffff;
const MAX_PAYLOAD_BYTES = 1_024;
const MAX_SECONDS = 655;
const TICKS_PER_SECOND = 100;
/** 7 min 35 s */
const USUAL_TICKS = 0xb1b0;

const ticksOf = (params: CommandParameters): number =>
  params['seconds'] === undefined
    ? USUAL_TICKS
    : integerParameter(params, 'seconds', 0, MAX_SECONDS) * TICKS_PER_SECOND;

/** 0 is the number of no packet. */
const publish = (payload: Uint8Array, { deviceId, ticket }: EncodeContext<undefined>): Uint8Array =>
  publication(`${deviceId}/OUTC`, ticketNumber(ticket, 0xffff) || 1, payload);

/**
 * Source: Xirgo Global, BT IOTM output command generation: expiry, output, an id that differs from that of the command
 * before, function, time in units of 10 ms. A record with the IMEI stands before it where the id of the device is one.
 */
function outputControl(params: CommandParameters, context: EncodeContext<undefined>): Uint8Array {
  const { deviceId, ticket } = context;
  const writer = new Writer().u8(STRUCTURE);
  if (/^\d{1,15}$/.test(deviceId)) writer.u8(IMEI).u16LE(8).u64LE(Number(deviceId));
  writer.u8(OUTPUT).u16LE(10).u32LE(NEVER);
  writer.u8(integerParameter(params, 'index', 1, 255) - 1).u8(Number(ticket) & 0xff);
  writer
    .u8(3)
    .u8(integerParameter(params, 'data', 0, 1))
    .u16LE(ticksOf(params));
  return publish(withSum(writer.finish()), context);
}

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  custom: {
    title: 'A payload for the topic of outputs',
    params: { data: { type: 'string', title: 'Pairs of hex digits', required: true } },
    repeatable: true,
    encode: (params, context) => publish(bytesParameter(params, 'data', MAX_PAYLOAD_BYTES), context),
  },
  outputControl: {
    title: 'Switch an output',
    params: {
      index: { type: 'number', title: 'Output, from 1', required: true },
      data: { type: 'number', title: 'Function: 0 off, 1 on', required: true },
      seconds: { type: 'number', title: 'Seconds, up to 655; otherwise 455' },
    },
    repeatable: false,
    encode: outputControl,
  },
};

export const privileged: readonly RegExp[] = EVERY_MESSAGE;
