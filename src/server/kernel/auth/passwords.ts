import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../../platform/errors.ts';

/**
 * OWASP's first choice for argon2id: 19 MiB, two passes, one lane (the default algorithm of the library is argon2id).
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** A hash occupies a core for tens of ms; the limit keeps log-ins from delaying ingest. */
const MAX_CONCURRENT_HASHES = 1;
const MAX_WAITING_HASHES = 40;
const MIN_LENGTH = 10;
const MAX_LENGTH = 256;

let running = 0;
const waiting: (() => void)[] = [];

/** Returns a PHC string. Throws AppError `rate-limited` if MAX_WAITING_HASHES are waiting. */
export const hashPassword = (password: string): Promise<string> =>
  withHashSlot(() => hash(password.normalize('NFKC'), COST));

/** Takes the same time if there is no hash: timing does not reveal whether the user exists. */
export async function passwordFits(password: string, phc: string | null | undefined): Promise<boolean> {
  const against = phc ?? (await hashForUnknownUser());
  const fits = await withHashSlot(() => verify(against, password.normalize('NFKC')));
  return fits && phc !== null && phc !== undefined;
}

let dummyHash: Promise<string> | undefined;
const hashForUnknownUser = (): Promise<string> => {
  dummyHash ??= hash('nobody has this password', COST);
  return dummyHash;
};

async function withHashSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_CONCURRENT_HASHES) {
    if (waiting.length >= MAX_WAITING_HASHES) throw new AppError('rate-limited', 'Too many log-ins at once');
    // the slot passes to the next one that waits
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running++;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}

const COMMON = ['password', 'passwort', 'qwerty', 'letmein', 'welcome', 'administrator', 'fleetgate', '12345678'];

/**
 * Throws AppError `weak-password` if the password is too short or too long, has too few different characters, or
 * consists of the user's names.
 */
export function requireStrength(password: string, names: readonly (string | null | undefined)[]): void {
  const weak = (why: string): never => {
    throw new AppError('weak-password', why, [{ pointer: '/newPassword', detail: why }]);
  };
  if (password.length < MIN_LENGTH) weak(`A password has ${MIN_LENGTH} characters or more`);
  if (password.length > MAX_LENGTH) weak(`A password has ${MAX_LENGTH} characters or less`);
  if (new Set(password).size < 5) weak('A password has five different characters or more');
  const text = password.toLowerCase();
  const known = [...COMMON, ...names.filter((name): name is string => !!name && name.length >= 3)];
  // without the well-known part, enough characters must remain
  for (const part of known) {
    if (text.replaceAll(part.toLowerCase(), '').length < 6) weak('The password is made of a well-known word or name');
  }
}
