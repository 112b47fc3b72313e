import { Writer } from '#codec';
import type { StreamContext, StreamTarget } from '../../message.ts';
import { openLink } from '../link.ts';
import { codeName, IN_PROGRESS, isAccepted, OK, SERVICE_DENIED } from './codes.ts';
import {
  cutPacket,
  PACKET,
  type Packet,
  packetBytes,
  readRecords,
  recordBytes,
  SERVICE,
  type ServiceRecord,
  SUB_RECORD,
} from './packet.ts';
import { createReceipts } from './receipts.ts';

/** Content of a record before its number is assigned. */
export type Content = Omit<ServiceRecord, 'number'>;

/** Response of the receiver to a packet. */
export interface Outcome {
  /** of the packet as a whole (PR) */
  readonly packet: number;
  /** of each record (RST), in the order in which they were sent */
  readonly records: readonly number[];
}

export interface EgtsSession {
  /** Resolves when the receiver has processed all records, or has rejected the packet. */
  exchange(records: readonly Content[]): Promise<Outcome>;
  /** The result of the authentication (EGTS_SR_RESULT_CODE). */
  result(): Promise<number>;
  isOpen(): boolean;
  close(): void;
}

/** Opens a session: sends packets, matches receipts, and confirms packets of the receiver. */
export async function openSession(target: StreamTarget, context: StreamContext): Promise<EgtsSession> {
  const link = await openLink(target, context, cutPacket);
  // the authentication has the number 1 on each connection
  let packetNumber = 0;
  let recordNumber = 0;
  const receipts = createReceipts();

  const nextRecord = (): number => {
    recordNumber = (recordNumber + 1) & 0xffff;
    return recordNumber;
  };
  const writePacket = (type: number, data: Uint8Array): number => {
    packetNumber = (packetNumber + 1) & 0xffff;
    link.write(packetBytes({ id: packetNumber, type, data }));
    return packetNumber;
  };
  /** Confirms a packet of the receiver; records of unsupported services are refused. */
  const confirm = ({ id }: Packet, records: readonly ServiceRecord[]): void => {
    const answers = records
      .filter(({ parts }) => parts.some(({ type }) => type !== SUB_RECORD.recordResponse))
      .map(({ number, service }) => {
        const status = service === SERVICE.authentication ? OK : SERVICE_DENIED;
        const content = new Writer(3).u16LE(number).u8(status).finish();
        const parts = [{ type: SUB_RECORD.recordResponse, content }];
        return recordBytes({ number: nextRecord(), service, parts });
      });
    const data = new Writer().u16LE(id).u8(OK);
    for (const answer of answers) data.raw(answer);
    writePacket(PACKET.response, data.finish());
  };
  const readPacket = async (awaited: number | undefined): Promise<void> => {
    const packet = await link.read();
    if (packet.type === PACKET.response) receipts.noteResponse(packet, awaited);
    else if (packet.type === PACKET.data) {
      const records = readRecords(packet.data);
      confirm(packet, records);
      receipts.note(records);
    }
  };
  return {
    async exchange(contents) {
      const records = contents.map((content) => ({ ...content, number: nextRecord() }));
      const data = new Writer(64 * records.length);
      for (const record of records) {
        receipts.records.delete(record.number);
        data.raw(recordBytes(record));
      }
      const isLogin = records.every(({ service }) => service === SERVICE.authentication);
      const id = writePacket(PACKET.data, data.finish());
      receipts.packets.clear();
      for (;;) {
        const packet = receipts.packets.get(id);
        if (packet !== undefined && packet !== OK && packet !== IN_PROGRESS) return { packet, records: [] };
        const found = records.flatMap(({ number }) => receipts.records.get(number) ?? []);
        const isProcessed = found.length === records.length && !found.includes(IN_PROGRESS);
        if (packet !== undefined && isProcessed) return { packet: OK, records: found };
        const result = receipts.authentication.at(-1);
        if (isLogin && result !== undefined) return { packet: OK, records: [result] };
        if (result !== undefined) requireOk(result, 'the receiver ends the authentication');
        await readPacket(id);
      }
    },
    async result() {
      while (receipts.authentication.length === 0) await readPacket(undefined);
      return receipts.authentication.at(-1)!;
    },
    isOpen: link.isOpen,
    close: link.close,
  };
}

/** Throws if the result code concerns the receiver or the connection instead of the record. */
export function requireOk(code: number, what: string): void {
  if (!isAccepted(code)) throw new Error(`${what}: ${codeName(code)}`);
}
