import type { DeviceOptions, Message, Reader, Reply } from '#codec';
import type { Dialect } from '../location.ts';
import { generalAnswer, type Header, type Terminal } from '../wire.ts';

/** A whole message, and what it comes to. */
export interface Incoming {
  readonly header: Header;
  readonly terminal: Terminal;
  /** at the body; ends with the frame, behind checksum and delimiter, since some items are longer than they say */
  readonly r: Reader;
  readonly bodyBytes: number;
  readonly dialect: Dialect;
  readonly options: DeviceOptions;
  /** epoch ms */
  readonly now: number;
  readonly messages: Message[];
  readonly replies: Reply[];
}

/** Throws CodecError where nothing can be made of the body. */
export type Handle = (incoming: Incoming) => void;

/** 8001: the message is safe. */
export const acknowledge = ({ header, terminal, replies }: Incoming): void => {
  replies.push({ when: 'stored', bytes: generalAnswer(terminal, header) });
};

/** Bytes of the body that have not been read. */
export const left = ({ r }: Incoming): number => Math.max(0, r.remaining - 2);
