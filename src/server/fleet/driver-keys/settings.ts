import { count } from '../../../platform/setting-types.ts';

/** Settings of drivers that devices recognise; part of the schema in config.ts. */
export const driverKeySettings = {
  DRIVER_LOGOUT_SECONDS: count
    .max(604_800)
    .default(0)
    .describe(
      's after the ignition is off when a driver who was recognised by a key is logged out; 0: by the device only',
    ),
};
