/** km/h; a lower speed counts as stationary, since fixes vary */
const STATIONARY_KMH = 3;

export const MOTIONS = ['moving', 'idle', 'parked'] as const;
type Motion = (typeof MOTIONS)[number];

/** Motion of a vehicle by a position; undefined if it is stationary and its ignition is unknown. */
export function motionOf(speed: number | null | undefined, ignition: unknown): Motion | undefined {
  if ((speed ?? 0) > STATIONARY_KMH) return 'moving';
  if (ignition === undefined || ignition === null) return undefined;
  return ignition === true || ignition === 1 ? 'idle' : 'parked';
}
