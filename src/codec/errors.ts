/** What can be wrong with a device's bytes. Codes are stable: logs, metrics and set-aside records name them. */
export const codecErrors = {
  truncated: 'The bytes end before a value that must be there',
  'bad-length': 'A length says something else than the bytes',
  'bad-value': 'A value that the format does not have',
  'bad-text': 'Text that cannot be read as what it must be',
  'unknown-type': 'A message of a type that is not known',
  'not-identified': 'A message before the device has said who it is',
  'frame-too-large': 'A frame that is larger than the protocol allows',
  'stream-lost': 'Nothing after this can be trusted; the connection is closed',
  'bad-parameter': 'A command parameter is missing or cannot be said in this protocol',
  'unsupported-command': 'The protocol has no such command',
  bug: 'The codec failed; the bytes are kept so that a mended one can read them',
} as const;

export type CodecErrorCode = keyof typeof codecErrors;

/**
 * The only error a codec throws, and only because of what it was given: `code` says what is wrong, `offset` where
 * (bytes from the start of the frame; -1 where no place can be named). Anything else that leaves a codec is a bug.
 */
export class CodecError extends Error {
  override readonly name = 'CodecError';
  readonly code: CodecErrorCode;
  readonly offset: number;

  constructor(code: CodecErrorCode, detail: string, offset = -1) {
    super(offset < 0 ? detail : `${detail} (at byte ${offset})`);
    this.code = code;
    this.offset = offset;
  }
}

/** Reads what may end early or have another layout, such as what follows a fix: what was read of it stays. */
export function readTail(read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
  }
}
