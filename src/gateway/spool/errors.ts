/** No records can be appended: the limit of the spool (`bytes`) or of the disk (`disk`) is reached. */
export class SpoolFull extends Error {
  override readonly name = 'SpoolFull';
  readonly reason: 'bytes' | 'disk';
  constructor(reason: 'bytes' | 'disk', detail: string, cause?: unknown) {
    super(detail, { cause });
    this.reason = reason;
  }
}

/** A write failed (an I/O error, a closed spool): these records are not stored. */
export class SpoolFailed extends Error {
  override readonly name = 'SpoolFailed';
}

/** A running process holds the folder. */
export class SpoolLocked extends Error {
  override readonly name = 'SpoolLocked';
  readonly holder: string;
  constructor(folder: string, holder: string) {
    super(`The spool ${folder} is in use by ${holder}; one process at a time may open it`);
    this.holder = holder;
  }
}

/** The set-aside records of a target are at their limit. */
export class SetAsideFull extends Error {
  override readonly name = 'SetAsideFull';
  constructor(target: string, count: number, maxBytes: number) {
    super(
      `${count} set-aside records of the target ${target} have reached SET_ASIDE_MAX_BYTES (${maxBytes} bytes) or the limit of their number. Nothing is sent to it until some are deleted or the limit is raised`,
    );
  }
}

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The error for the callers of `append` after a failed write or sync. */
export function writeError(error: unknown): SpoolFull | SpoolFailed {
  if (error instanceof SpoolFull || error instanceof SpoolFailed) return error;
  const code = errorCode(error);
  if (DISK_FULL.has(code)) return new SpoolFull('disk', `The disk of the spool is full (${code})`, error);
  return new SpoolFailed(`The spool could not be written: ${(error as Error).message}`, { cause: error });
}

export const errorCode = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');
