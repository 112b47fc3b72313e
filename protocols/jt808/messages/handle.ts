import type { DeviceOptions, Message, Reader, Reply } from '#codec';
import type { Header, Terminal } from '../header.ts';
import type { Dialect } from '../report.ts';

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

/** Throws CodecError if nothing can be made of the body. */
export type Handle = (incoming: Incoming) => void;
