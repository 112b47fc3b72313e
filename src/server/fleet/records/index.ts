export { area, shownArea } from './area.ts';
export { driverKind, geofenceKind, groupKind, normaliseTarga, vehicleKind } from './kinds.ts';
export { MOTIONS, motionOf } from './motion.ts';
export { findNamed } from './store.ts';
