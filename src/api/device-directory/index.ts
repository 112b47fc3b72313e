export { createDirectory, type Directory, type KnownDevice } from './directory.ts';
export { type DeviceList, deviceList, directoryStore, forgetUnregisteredDevices } from './store.ts';
