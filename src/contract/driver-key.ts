/** What readers send while no key is present. */
const LOGOUT = /^(?:0+|f{8,}|none|null|logout|-)?$/;

/**
 * A value of `driverUniqueId` as keys are compared: in lower case, leading zeros kept. '' for values that mean that nobody
 * is logged in.
 */
export function foldKey(reported: unknown): string {
  const key = String(reported ?? '')
    .trim()
    .toLowerCase();
  return LOGOUT.test(key) ? '' : key;
}
