import type { Attributes, AttributeValue, Message } from './messages.ts';

/** How bytes travel. `http` requests come whole, so nothing is framed there. */
export type Transport = 'tcp' | 'udp' | 'http';

export type OptionValue = string | number | boolean;
/** Per-device settings (model, time zone, password, protocol options); absent means the protocol's default. */
export type DeviceOptions = Readonly<Record<string, OptionValue | undefined>>;

interface OptionDefinition {
  readonly type: 'string' | 'number' | 'boolean';
  readonly title: string;
  readonly default?: OptionValue;
}

/**
 * How far a search for the end of a frame has come, so that no byte is searched twice. The framer that returns it gets
 * it back with the next call; the driver only keeps it.
 */
export interface Scan {
  /** the rules that searched: a search by others begins at the head */
  readonly by: object;
  /** number of bytes from the head on that have been searched */
  readonly to: number;
  /** open brackets, or 1 inside of quotes */
  readonly depth?: number;
  /** offset of the last place within the frame where another one begins; 0 if there is none */
  readonly inner?: number;
  /** the start of a frame at the head has been recognized */
  readonly begun?: boolean;
  /** whether it is true of any later head: the driver then keeps it, without `begun`, while bytes are skipped */
  readonly movable?: boolean;
}

/**
 * What the buffer begins with: a whole frame, too few bytes, or bytes that belong to no frame. Offsets count from the
 * head of the buffer. `content` is the frame after unescaping, where the wire escapes. `resumeAt` (default `end`) is
 * where the search continues when `verify` refuses the frame: earlier than `end` where its length could be an accident.
 * `atLeast` is the size of the buffer below which the framer is not called again. `scan` counts from the next head:
 * that is the same one after `wait`, the byte behind the skipped ones after `skip`, `resumeAt` after a refused frame.
 * `mayFollow` is the end of a frame that is known to be whole without it: as many of these bytes as follow a frame that
 * was not refused are passed over, whenever they come.
 */
export type FrameResult =
  | {
      readonly type: 'frame';
      readonly start: number;
      readonly end: number;
      readonly content?: Uint8Array;
      readonly resumeAt?: number;
      readonly scan?: Scan;
      readonly mayFollow?: readonly number[];
    }
  | { readonly type: 'wait'; readonly atLeast?: number; readonly scan?: Scan }
  | { readonly type: 'skip'; readonly bytes: number; readonly scan?: Scan };

export interface FrameContext<State> {
  readonly transport: Transport;
  readonly state: State;
  readonly options: DeviceOptions;
  /** of the previous call at this head, if it returned one */
  readonly scan?: Scan | undefined;
}

export interface DecodeContext<State> extends FrameContext<State> {
  /** epoch ms: when the bytes were read. The only clock that a codec sees. */
  readonly now: number;
}

/**
 * `received` leaves at once, `stored` once the frame's messages are safe (and, for a login, the device is admitted),
 * `refused` instead of `stored` when the device is not admitted.
 */
export interface Reply {
  readonly when: 'received' | 'stored' | 'refused';
  readonly bytes: Uint8Array;
  /** the connection ends behind it */
  readonly last?: true;
}

export interface HttpReply {
  readonly when: 'stored' | 'refused';
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export interface Decoded<State, R = Reply> {
  readonly state: State;
  readonly messages: readonly Message[];
  readonly replies: readonly R[];
}

export interface HttpRequest {
  readonly method: string;
  /** path and query as sent */
  readonly uri: string;
  /** lower-case names */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface CommandParameter {
  readonly type: 'string' | 'number' | 'boolean';
  readonly title: string;
  readonly required?: boolean;
}

export interface EncodeContext<State> {
  /** of the connection that will carry the bytes; the initial state where there is none yet */
  readonly state: State;
  readonly deviceId: string;
  readonly options: DeviceOptions;
  /** unique among the device's open commands; for protocols whose answers carry one */
  readonly ticket: string;
  /** epoch ms */
  readonly now: number;
}

/** The value of an element by its vendor's name. */
export interface NamedValue {
  /** the element's number in the protocol */
  readonly id: number;
  readonly value: AttributeValue;
  readonly unit?: string;
}

export type CommandParameters = Readonly<Record<string, OptionValue | undefined>>;

export interface CommandDefinition<State> {
  readonly title: string;
  readonly params: Readonly<Record<string, CommandParameter>>;
  /** false if running it twice does harm: such a command is sent at most once */
  readonly repeatable: boolean;
  /** executing it ends the device's session: restart, firmware update, factory reset */
  readonly endsSession?: true;
  /** Bytes for the device. Throws CodecError `bad-parameter`. Source: the vendor's clause, in the table. */
  encode(params: CommandParameters, context: EncodeContext<State>): Uint8Array;
}

interface ProtocolFacts<State> {
  /** folder name, metric label, name in positions */
  readonly id: string;
  readonly title: string;
  readonly vendor: string;
  readonly models: readonly string[];
  /** name of the port; one service may hold several codecs (Queclink text and binary) */
  readonly service: string;
  /** default port of the service */
  readonly port: number;
  readonly options: Readonly<Record<string, OptionDefinition>>;
  /** how an answer finds its command; `none` where devices never answer */
  readonly correlation: 'ticket' | 'in-order' | 'none';
  /** Character set of its devices' answers, where `bytes` of an answer may be text. The device option `charset` comes first. */
  readonly charset?: string;
  /** `custom` takes `{data}`: text for the device, wrapped as the protocol wants */
  readonly commands: Readonly<Record<string, CommandDefinition<State>>>;
  /** Name that an answer to these bytes carries in `command`; undefined if it cannot be known. */
  commandName?(bytes: Uint8Array): string | undefined;
  /** regular expressions over command text: engine cut, outputs; such commands are sent at most once */
  readonly privileged: readonly RegExp[];
  /** regular expressions over command text: restart, firmware update, factory reset, which end the device's session */
  readonly sessionEnding: readonly RegExp[];
  /** speaks as a device would: for simulation, fixtures and fuzzing */
  readonly simulator: Simulator;
  /** what an installer writes into the device; {host} and {port} are filled in */
  readonly setup: readonly string[];
  /** Attributes have names, and values, that the device or its user gives (see `setDeviceNamed`); otherwise further keys are camelCase. */
  readonly deviceNamedKeys?: boolean;
  /** keys of the vocabulary that its devices report in another form too: text with a unit, a code for a flag */
  readonly reportedAs?: Readonly<Record<string, 'number' | 'string' | 'boolean'>>;
  /**
   * What the vendor calls the elements that attributes hold, with scaled values: for people, and for who asks. A pure
   * function of the attributes, so that nothing is made of it while positions are decoded.
   */
  readonly named?: (attributes: Attributes, options: DeviceOptions) => Readonly<Record<string, NamedValue>>;
  /** Frames that are acknowledged though nothing of them is kept, and why. Patterns see text, or hexadecimal digits. */
  readonly carriesNothing?: readonly { readonly title: string; readonly frame: RegExp }[];
  /** Frames to which the vendor's document requires a reply, and the start of it. Patterns see text, or hexadecimal digits. */
  readonly expectsReply?: readonly { readonly title: string; readonly frame: RegExp; readonly reply: RegExp }[];
  /** what is known to be missing */
  readonly notCovered?: readonly string[];
}

/**
 * A protocol over a byte stream or datagrams: a pure reducer, no socket, no clock, no log. Throws CodecError only.
 */
export interface StreamProtocol<State = unknown> extends ProtocolFacts<State> {
  readonly carrier: 'bytes';
  readonly transports: readonly ('tcp' | 'udp')[];
  /** its frames are HTTP requests */
  readonly speaks?: 'http';
  readonly maxFrameBytes: number;
  /** `marker`: a lost stream finds its next frame again. `none`: it cannot, and the connection is closed. */
  readonly resync: 'marker' | 'none';
  /** `checksum`: a changed byte is refused by `verify` */
  readonly integrity: 'checksum' | 'none';
  /** Of a fresh connection; with a device id, of one that has logged in as that device. */
  initialState(deviceId?: string): State;
  /** Do these first bytes begin a conversation of this protocol? `more`: not enough bytes to decide. */
  identify?(firstBytes: Uint8Array, transport: Transport): 'yes' | 'no' | 'more';
  /** What stands at the head of the buffer. Throws CodecError `stream-lost` if nothing after it can be trusted. */
  frame(bytes: Uint8Array, context: FrameContext<State>): FrameResult;
  /** Checks the checksum only. The driver ignores the result if the device option `lenientChecksum` is set. */
  verify?(frame: Uint8Array, context: FrameContext<State>): boolean;
  /**
   * What a frame says. Throws CodecError for a frame that is not understood, such as one of an unknown type: the frame is
   * then kept raw, and can be decoded again. One without messages is acknowledged, and nothing of it is kept.
   */
  decode(frame: Uint8Array, context: DecodeContext<State>): Decoded<State>;
  /** Replies to a frame whose checksum is right and that does not decode, if the protocol has such replies. */
  acknowledgeUndecoded?(frame: Uint8Array, context: DecodeContext<State>): readonly Reply[];
}

/** A protocol over HTTP requests. */
export interface HttpProtocol<State = unknown> extends ProtocolFacts<State> {
  readonly carrier: 'http';
  /** head and body of a request together; default: 64 KiB */
  readonly maxBytes?: number;
  initialState(deviceId?: string): State;
  /** Is this request one of this protocol's? */
  identify?(request: HttpRequest): boolean;
  /**
   * What a request says. Throws CodecError for one that is not understood: it is kept raw, and answered 400. An answer of
   * 200, `text/plain` and without a body may carry a command's bytes as its body.
   */
  decode(request: HttpRequest, context: DecodeContext<State>): Decoded<State, HttpReply>;
}

// biome-ignore lint/suspicious/noExplicitAny: the catalogue holds protocols of every state
export type Protocol = StreamProtocol<any> | HttpProtocol<any>;

/** A fix as a simulated device reports it. */
export interface SimulatedFix {
  /** epoch ms, whole seconds */
  readonly time: number;
  readonly latitude: number;
  readonly longitude: number;
  /** km/h */
  readonly speed: number;
  /** degrees */
  readonly course: number;
  readonly ignition: boolean;
}

/** What a simulated device reads from the server. */
export type ServerMessage =
  | { readonly type: 'admitted' }
  | { readonly type: 'refused' }
  /** so many of the oldest outstanding reports are safe */
  | { readonly type: 'acknowledged'; readonly reports: number }
  | { readonly type: 'command'; readonly text: string; readonly frame: Uint8Array }
  | { readonly type: 'other' };

/** The device's side of the protocol, written from the vendor's document and independent of the decoder. */
export interface Simulator {
  /** The id that messages have room for, if not all digits. */
  idOf?(deviceId: string): string;
  /** first frame of a connection; undefined if every frame carries the id */
  login?(deviceId: string, serial: number): Uint8Array;
  /** One frame with these fixes; protocols of one fix a frame take the first. */
  report(fixes: readonly SimulatedFix[], deviceId: string, serial: number): Uint8Array;
  /** maximum number of fixes in one report; default: 1 */
  readonly fixesPerReport?: number;
  heartbeat?(deviceId: string, serial: number): Uint8Array;
  /** Cuts one server message from the head of the buffer; undefined when more bytes are needed. */
  read(buffer: Uint8Array): { readonly bytes: number; readonly message: ServerMessage } | undefined;
  /** The device's answer to a command frame. */
  answer?(frame: Uint8Array, outcome: 'done' | 'refused', deviceId: string, serial: number): Uint8Array;
  /** false if the server does not acknowledge reports; default: true */
  readonly acknowledges?: boolean;
  /** the device's side over UDP, where its messages are others than over TCP */
  readonly datagrams?: Simulator;
}
