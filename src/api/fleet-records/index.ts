export { area, driverKind, geofenceKind, groupKind, normaliseTarga, vehicleKind } from './kinds.ts';
export { findNamed } from './store.ts';
