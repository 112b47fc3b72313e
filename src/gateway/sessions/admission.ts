import type { DeviceOptions } from '#codec';
import type { DeviceEntry, DownlinkLine } from '../ports.ts';

/**
 * `open`: unknown and admitted, since devices may register themselves. `unsure`: the device list has not been
 * received yet, so that the device must not be refused, or there is no room for another unregistered device (sessions.ts).
 */
export type AdmissionResult = 'known' | 'open' | 'refused' | 'unsure';

/** A registered device. */
export interface Device {
  readonly options: DeviceOptions;
  /** protocol of its first session */
  readonly protocol?: string | undefined;
}

const NONE: DeviceOptions = Object.freeze({});
const PLAIN: Device = { options: NONE };
const ID = /^[A-Za-z0-9._:-]{1,64}$/;

/** Decides which devices are admitted, by the device list that the API streams. */
export class Admission {
  readonly #autoRegister: boolean;
  #devices = new Map<string, Device>();
  #arriving: Map<string, Device> | undefined;
  #synchronised = false;
  /** removed or blocked: not admitted even if unknown devices are */
  #refused = new Set<string>();
  /** of a list that is being received */
  #refusedArriving: Set<string> | undefined;

  constructor(autoRegister: boolean) {
    this.#autoRegister = autoRegister;
  }

  /** True once a complete device list has been received. */
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
    if (this.#refused.has(id)) return 'refused';
    if (this.#autoRegister) return 'open';
    return this.#synchronised ? 'refused' : 'unsure';
  }

  device(id: string): Device {
    return this.#devices.get(id) ?? PLAIN;
  }

  /** Per-device options; the same object until they change. */
  optionsOf(ids: readonly string[]): DeviceOptions {
    for (const id of ids) {
      const device = this.#devices.get(id);
      if (device !== undefined) return device.options;
    }
    return NONE;
  }

  /** Handles a downlink line; true if it was about devices. */
  apply(line: DownlinkLine): boolean {
    switch (line.type) {
      case 'devices': {
        this.#arriving ??= new Map();
        for (const device of line.devices) this.#arriving.set(device.imei, this.#settled(device));
        return true;
      }
      case 'devices-end':
        this.#devices = this.#arriving ?? new Map();
        this.#arriving = undefined;
        this.#synchronised = true;
        this.#refused = this.#refusedArriving ?? new Set();
        this.#refusedArriving = undefined;
        return true;
      case 'device':
        this.#devices.set(line.device.imei, this.#settled(line.device));
        this.#refused.delete(line.device.imei);
        return true;
      case 'device-removed':
        this.#devices.delete(line.imei);
        this.#refused.delete(line.imei);
        return true;
      case 'devices-refused':
        for (const imei of line.imeis) {
          this.#devices.delete(imei);
          this.#refused.add(imei);
          this.#refusedArriving?.add(imei);
        }
        return true;
      case 'hello':
        this.#refusedArriving = new Set();
        return false;
      case 'ping':
      case 'deliver':
      case 'withdraw':
      case 'close':
      case 'taken-over':
        return false;
    }
  }

  /** An incomplete list is dropped; the old one stays valid. */
  interrupted(): void {
    this.#arriving = undefined;
    this.#refusedArriving = undefined;
  }

  /** Options that have not changed stay the same object. */
  #settled({ imei, options, protocol }: DeviceEntry): Device {
    if (options === undefined || Object.keys(options).length === 0) {
      return protocol === undefined ? PLAIN : { options: NONE, protocol };
    }
    const before = this.#devices.get(imei)?.options;
    const isSame = before !== undefined && JSON.stringify(before) === JSON.stringify(options);
    return { options: isSame ? before : Object.freeze(options), protocol };
  }
}
