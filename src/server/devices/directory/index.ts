export { createDirectory, type Directory, type KnownDevice } from './directory.ts';
export { securityOptions } from './security-options.ts';
export { type DeviceList, deviceList, directoryStore, forgetUnregisteredDevices } from './store.ts';
