/** Error codes for the bytes of a device. Codes are stable: they are stored with frames that were not decoded. */
export const codecErrors = {
  truncated: 'The message ends before a required value',
  'bad-length': 'A length field does not match the number of bytes',
  'bad-value': 'A value is not defined by the format',
  'bad-text': 'A text cannot be parsed',
  'unknown-type': 'Unknown message type',
  'not-identified': 'Message received before the device identified itself',
  'frame-too-large': 'The frame is larger than the protocol allows',
  'stream-lost': 'Synchronization with the byte stream is lost; the connection is closed',
  'bad-parameter': 'A command parameter is missing, or the protocol cannot encode it',
  'unsupported-command': 'The protocol does not support the command',
  bug: 'Internal error of the codec; the bytes are kept so that they can be decoded after a fix',
} as const;

type CodecErrorCode = keyof typeof codecErrors;

/**
 * The only error a codec throws, and only because of what it was given: `code` says what is wrong, `offset` where
 * (bytes from the start of the frame; -1 where no place can be named). It has no stack. Anything else that leaves a codec
 * is a bug.
 */
export class CodecError extends Error {
  override readonly name = 'CodecError';
  readonly code: CodecErrorCode;
  readonly offset: number;

  constructor(code: CodecErrorCode, detail: string, offset = -1) {
    // Frames of the stack take ten times the time of decoding, and the bytes of an unknown client may throw at each of them.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(offset < 0 ? detail : `${detail} (at byte ${offset})`);
    Error.stackTraceLimit = limit;
    this.code = code;
    this.offset = offset;
  }
}

/** Reads what may end early or have another layout, such as what follows a fix: what was read of it stays. */
export function readOptional(read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
  }
}
