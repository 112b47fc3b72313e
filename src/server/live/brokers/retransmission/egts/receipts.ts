import { CodecError } from '#codec';
import { type Packet, readRecords, SERVICE, type ServiceRecord, SUB_RECORD, type SubRecord } from './packet.ts';

const RESPONSE_BYTES = 3;

/** Results that the receiver has sent for packets, records and the authentication. */
export interface Receipts {
  /** results of packets and records by their numbers */
  readonly packets: Map<number, number>;
  readonly records: Map<number, number>;
  /** results of the authentication (EGTS_SR_RESULT_CODE) */
  readonly authentication: number[];
  note(records: readonly ServiceRecord[]): void;
  /** `awaited`: number of the packet that waits for its receipt */
  noteResponse(response: Packet, awaited: number | undefined): void;
}

export function createReceipts(): Receipts {
  const packets = new Map<number, number>();
  const records = new Map<number, number>();
  const authentication: number[] = [];

  const notePart = (service: number, { type, content }: SubRecord): void => {
    if (type === SUB_RECORD.recordResponse && content.length >= 3) {
      records.set(content[0]! | (content[1]! << 8), content[2]!);
    } else if (service === SERVICE.authentication && type === SUB_RECORD.resultCode) {
      if (content.length > 0) authentication.push(content[0]!);
    } else if (service === SERVICE.authentication && type === SUB_RECORD.authenticationParameters) {
      throw new Error('the receiver requires encryption or a further authentication, which are not supported');
    }
  };
  const note = (noted: readonly ServiceRecord[]): void => {
    for (const { service, parts } of noted) for (const part of parts) notePart(service, part);
  };
  return {
    packets,
    records,
    authentication,
    note,
    noteResponse({ data }, awaited) {
      const answered = data.length < RESPONSE_BYTES ? undefined : data[0]! | (data[1]! << 8);
      if (answered !== undefined && answered === awaited) {
        packets.set(answered, data[2]!);
        note(readRecords(data, RESPONSE_BYTES));
        return;
      }
      // some receivers send the authentication result in a response packet without the response header
      try {
        note(readRecords(data));
      } catch (error) {
        if (!(error instanceof CodecError)) throw error;
      }
    },
  };
}
