import type { DeviceOptions } from '#codec';
import type { DownlinkLine } from './ports.ts';

/**
 * `open`: not known and admitted, since devices may register themselves. `unsure`: not known, but neither is the
 * device list: never refused for want of knowledge.
 */
export type AdmissionResult = 'known' | 'open' | 'refused' | 'unsure';

const NONE: DeviceOptions = Object.freeze({});
const ID = /^[A-Za-z0-9._:-]{1,64}$/;

/** Decides which devices are admitted, by the device list that the API streams. */
export class Admission {
  readonly #autoRegister: boolean;
  #devices = new Map<string, DeviceOptions>();
  #arriving: Map<string, DeviceOptions> | undefined;
  #synchronised = false;

  constructor(autoRegister: boolean) {
    this.#autoRegister = autoRegister;
  }

  /** True once a whole device list has come. */
  get synchronised(): boolean {
    return this.#synchronised;
  }

  get size(): number {
    return this.#devices.size;
  }

  /** The spelling by which the device is known, or the canonical one; undefined if no id is valid. */
  canonical(ids: readonly string[]): string | undefined {
    return ids.find((id) => this.#devices.has(id)) ?? ids.find((id) => ID.test(id));
  }

  check(id: string): AdmissionResult {
    if (this.#devices.has(id)) return 'known';
    if (this.#autoRegister) return 'open';
    return this.#synchronised ? 'refused' : 'unsure';
  }

  /** Per-device options; the same object until they change. */
  optionsOf(ids: readonly string[]): DeviceOptions {
    for (const id of ids) {
      const options = this.#devices.get(id);
      if (options !== undefined) return options;
    }
    return NONE;
  }

  /** Takes a line of the downlink; true when it was about devices. */
  apply(line: DownlinkLine): boolean {
    switch (line.type) {
      case 'devices': {
        this.#arriving ??= new Map();
        for (const { imei, options } of line.devices) this.#arriving.set(imei, this.#settled(imei, options));
        return true;
      }
      case 'devices-end':
        this.#devices = this.#arriving ?? new Map();
        this.#arriving = undefined;
        this.#synchronised = true;
        return true;
      case 'device':
        this.#devices.set(line.device.imei, this.#settled(line.device.imei, line.device.options));
        return true;
      case 'device-removed':
        this.#devices.delete(line.imei);
        return true;
      case 'hello':
      case 'ping':
      case 'deliver':
      case 'withdraw':
      case 'close':
        return false;
    }
  }

  /** An incomplete list is dropped; the old one stays valid. */
  interrupted(): void {
    this.#arriving = undefined;
  }

  #settled(imei: string, options: DeviceOptions | undefined): DeviceOptions {
    if (options === undefined || Object.keys(options).length === 0) return NONE;
    const before = this.#devices.get(imei);
    return before !== undefined && JSON.stringify(before) === JSON.stringify(options) ? before : Object.freeze(options);
  }
}
