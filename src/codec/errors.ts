/** What can be wrong with a device's bytes. Codes are stable: logs, metrics and set-aside records name them. */
export type CodecErrorCode =
  | 'truncated'
  | 'bad-length'
  | 'bad-value'
  | 'bad-text'
  | 'unknown-type'
  | 'not-identified'
  | 'frame-too-large'
  | 'stream-lost'
  | 'bad-parameter'
  | 'unsupported-command'
  | 'bug';

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
