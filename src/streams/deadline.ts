/** Rejects where the work does not end within `timeoutMs`, or `closed` rejects before. */
export async function within<T>(work: Promise<T>, timeoutMs: number, closed: Promise<never>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late, closed]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}

/** A promise that rejects when the connection ends, without an unhandled rejection. */
export function createEnd(): { readonly ended: Promise<never>; end(reason: Error): void } {
  let end: (reason: Error) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    end = reject;
  });
  ended.catch(() => {});
  return { ended, end };
}
