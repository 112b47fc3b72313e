import { Writer } from '#codec';
import type { StreamOptions } from '../../message.ts';
import { SUB_RECORD, type SubRecord } from './packet.ts';

// Facts: GOST 33472-2015, tables В.6 (TERM_IDENTITY) and В.10 (DISPATCHER_IDENTITY).

const MAX_UINT32 = 0xffff_ffff;
const IMEI = /^\d{15}$/;
const FLAG = { imei: 0x02, simpleAlgorithm: 0x10 };

/** Numbers (TID, OID) of devices: those of the option `objects`, otherwise a device id that is such a number. */
export function objectNumbers(options: StreamOptions): (device: string) => number | undefined {
  const given = String(options['objects'] ?? '');
  const numbers = new Map(given.split(',').map((pair) => pair.split('=') as [string, string]));
  return (device) => {
    const text = numbers.get(device) ?? device;
    const number = /^\d{1,10}$/.test(text) ? Number(text) : undefined;
    return number !== undefined && number <= MAX_UINT32 ? number : undefined;
  };
}

/** undefined: the device has neither a number nor an IMEI. */
export function terminalIdentity(device: string, object: number | undefined): SubRecord | undefined {
  const hasImei = IMEI.test(device);
  if (!hasImei && object === undefined) return undefined;
  const content = new Writer(20).u32LE(object ?? 0).u8(FLAG.simpleAlgorithm | (hasImei ? FLAG.imei : 0));
  if (hasImei) content.latin1(device);
  return { type: SUB_RECORD.terminalIdentity, content: content.finish() };
}

export function dispatcherIdentity(options: StreamOptions): SubRecord {
  const content = new Writer(5).u8(Number(options['dispatcherType'] ?? 0)).u32LE(Number(options['dispatcherId']));
  return { type: SUB_RECORD.dispatcherIdentity, content: content.finish() };
}
