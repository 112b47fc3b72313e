import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../platform/errors.ts';

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane (the default algorithm of the library is argon2id). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** A hash takes a core for tens of ms: no more of them at a time, so that log-ins never crowd out ingest. */
const AT_A_TIME = 1;
const MOST_WAITING = 40;
const SHORTEST = 10;
const LONGEST = 256;

let running = 0;
const waiting: (() => void)[] = [];

/** PHC string. Throws AppError `rate-limited` where too many wait already. */
export const hashPassword = (password: string): Promise<string> =>
  withHashSlot(() => hash(password.normalize('NFKC'), COST));

/** Takes as long where there is no hash to compare with. */
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
  if (running >= AT_A_TIME) {
    if (waiting.length >= MOST_WAITING) throw new AppError('rate-limited', 'Too many log-ins at once');
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

/** Throws AppError `weak-password` for what is too short, too uniform, or made of the user's own names. */
export function requireStrength(password: string, names: readonly (string | null | undefined)[]): void {
  const weak = (why: string): never => {
    throw new AppError('weak-password', why, [{ pointer: '/newPassword', detail: why }]);
  };
  if (password.length < SHORTEST) weak(`A password has ${SHORTEST} characters or more`);
  if (password.length > LONGEST) weak(`A password has ${LONGEST} characters or less`);
  if (new Set(password).size < 5) weak('A password has five different characters or more');
  const text = password.toLowerCase();
  const known = [...COMMON, ...names.filter((name): name is string => !!name && name.length >= 3)];
  // what is left besides the well-known part must be something
  for (const part of known) {
    if (text.replaceAll(part.toLowerCase(), '').length < 6) weak('The password is made of a well-known word or name');
  }
}
