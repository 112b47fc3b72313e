// @ts-nocheck
// The typed client of the REST API, written by `npm run openapi`: do not change it by hand.
// docs/openapi.json, sha256 10373abffd4918849d3b5665707a95094bbc0b919754b0eccd0b603590749869
export interface Alert {
  ack: boolean;
  body: string;
  id: string;
  kind: string;
  /** @format date-time */
  occurredAt: string;
  position?: {
    course?: number;
    /** @format date-time */
    fixTime?: string;
    latitude?: number;
    longitude?: number;
    speed?: number;
  };
  severity: string;
  targa?: string;
  title: string;
}

export interface AlertInput {
  ack: boolean;
  body: string;
  id: string;
  kind: string;
  /** @format date-time */
  occurredAt: string;
  position?: {
    course?: number;
    /** @format date-time */
    fixTime?: string;
    latitude?: number;
    longitude?: number;
    speed?: number;
  };
  severity: string;
  targa?: string;
  title: string;
}

export interface AppSession {
  /** JWT (EdDSA), see /.well-known/jwks.json */
  accessToken: string;
  deviceId: string | null;
  /** s */
  expiresIn: number;
  /** s */
  refreshExpiresIn: number;
  /** good once: it is answered with the next one */
  refreshToken: string;
  scope: string;
  tokenType: "Bearer";
  user: {
    email: string | null;
    id: string;
    locale: string;
    name: string | null;
    role: "admin" | "manager" | "dispatcher" | "viewer" | "driver";
    tenant: string;
    timezone: string;
    username: string;
  };
}

export interface AppSessionInput {
  /** JWT (EdDSA), see /.well-known/jwks.json */
  accessToken: string;
  deviceId: string | null;
  /** s */
  expiresIn: number;
  /** s */
  refreshExpiresIn: number;
  /** good once: it is answered with the next one */
  refreshToken: string;
  scope: string;
  tokenType: "Bearer";
  user: {
    email: string | null;
    id: string;
    locale: string;
    name: string | null;
    role: "admin" | "manager" | "dispatcher" | "viewer" | "driver";
    tenant: string;
    timezone: string;
    username: string;
  };
}

export interface AuditEntry {
  action: string;
  /** id of the user or key */
  actor: string;
  after: null;
  /** @format date-time */
  at: string;
  before: null;
  /** number of the block that seals it */
  block: number | null;
  id: number;
  ip: string | null;
  object: string | null;
  requestId: string | null;
  sealed: boolean;
}

export interface AuditEntryInput {
  action: string;
  /** id of the user or key */
  actor: string;
  after: null;
  /** @format date-time */
  at: string;
  before: null;
  /** number of the block that seals it */
  block: number | null;
  id: number;
  ip: string | null;
  object: string | null;
  requestId: string | null;
  sealed: boolean;
}

export interface Command {
  ackBy: "device" | "transport" | null;
  acknowledgedAt: string | null;
  attempts: number;
  attributes: Partial<Record<string, string | number | boolean>>;
  batchId: string | null;
  commandId: string;
  conditions: {
    ignition?: boolean;
    /**
     * ring of [longitude, latitude]
     * @maxItems 1000
     * @minItems 4
     */
    insidePolygon?: number[][];
    /**
     * km/h
     * @min 0
     * @max 1000
     */
    maxSpeed?: number;
  } | null;
  /** @format date-time */
  createdAt: string;
  createdBy: string;
  delivery: "at_least_once" | "at_most_once";
  /** why it did not go well: a reason code, and what is known beside it */
  error: string | null;
  /** @format date-time */
  expiresAt: string;
  gatewayId: string | null;
  /** null where it was ordered by type */
  gprsCommand: string | null;
  history: {
    actor: string;
    /** @format date-time */
    at: string;
    from:
      | "pending"
      | "sending"
      | "sent"
      | "acknowledged"
      | "failed"
      | "expired"
      | "unknown"
      | "cancelled"
      | null;
    reason: string;
    /** null where something was recorded and nothing changed */
    to:
      | "pending"
      | "sending"
      | "sent"
      | "acknowledged"
      | "failed"
      | "expired"
      | "unknown"
      | "cancelled"
      | null;
  }[];
  /** @pattern ^[A-Za-z0-9._:-]{1,64}$ */
  imei: string;
  /** answered after it had been given up */
  late: boolean;
  maxAttempts: number;
  mayHaveExecuted: boolean;
  notBefore: string | null;
  priority: number;
  /** the device’s answer; hex where it is no text */
  response: string | null;
  sentAt: string | null;
  status:
    | "pending"
    | "sending"
    | "sent"
    | "acknowledged"
    | "failed"
    | "expired"
    | "unknown"
    | "cancelled";
  type: string;
}

export interface CommandInput {
  ackBy: "device" | "transport" | null;
  acknowledgedAt: string | null;
  attempts: number;
  attributes: Partial<Record<string, string | number | boolean>>;
  batchId: string | null;
  commandId: string;
  conditions: {
    ignition?: boolean;
    /**
     * ring of [longitude, latitude]
     * @maxItems 1000
     * @minItems 4
     */
    insidePolygon?: number[][];
    /**
     * km/h
     * @min 0
     * @max 1000
     */
    maxSpeed?: number;
  } | null;
  /** @format date-time */
  createdAt: string;
  createdBy: string;
  delivery: "at_least_once" | "at_most_once";
  /** why it did not go well: a reason code, and what is known beside it */
  error: string | null;
  /** @format date-time */
  expiresAt: string;
  gatewayId: string | null;
  /** null where it was ordered by type */
  gprsCommand: string | null;
  history: {
    actor: string;
    /** @format date-time */
    at: string;
    from:
      | "pending"
      | "sending"
      | "sent"
      | "acknowledged"
      | "failed"
      | "expired"
      | "unknown"
      | "cancelled"
      | null;
    reason: string;
    /** null where something was recorded and nothing changed */
    to:
      | "pending"
      | "sending"
      | "sent"
      | "acknowledged"
      | "failed"
      | "expired"
      | "unknown"
      | "cancelled"
      | null;
  }[];
  /** @pattern ^[A-Za-z0-9._:-]{1,64}$ */
  imei: string;
  /** answered after it had been given up */
  late: boolean;
  maxAttempts: number;
  mayHaveExecuted: boolean;
  notBefore: string | null;
  priority: number;
  /** the device’s answer; hex where it is no text */
  response: string | null;
  sentAt: string | null;
  status:
    | "pending"
    | "sending"
    | "sent"
    | "acknowledged"
    | "failed"
    | "expired"
    | "unknown"
    | "cancelled";
  type: string;
}

export interface Device {
  /** of an unregistered device: when it first tried to log in */
  firstSeenAt: string | null;
  /** @pattern ^[A-Za-z0-9._:-]{1,64}$ */
  imei: string;
  lastSeenAt: string | null;
  name: string | null;
  /** model, time zone, password, protocol options */
  options: Partial<Record<string, string | number | boolean>>;
  protocol: string | null;
  registeredAt: string | null;
  registeredBy: "itself" | "api" | null;
  /** address and port that it was last seen at */
  remote: string | null;
  sessionSince: string | null;
  state: "online" | "offline" | "unknown";
}

export interface DeviceInput {
  /** of an unregistered device: when it first tried to log in */
  firstSeenAt: string | null;
  /** @pattern ^[A-Za-z0-9._:-]{1,64}$ */
  imei: string;
  lastSeenAt: string | null;
  name: string | null;
  /** model, time zone, password, protocol options */
  options: Partial<Record<string, string | number | boolean>>;
  protocol: string | null;
  registeredAt: string | null;
  registeredBy: "itself" | "api" | null;
  /** address and port that it was last seen at */
  remote: string | null;
  sessionSince: string | null;
  state: "online" | "offline" | "unknown";
}

export interface Driver {
  cardNumber: string | null;
  /** @format date-time */
  createdAt: string;
  email: string | null;
  expenseCurrency: string | null;
  expenseLimit: number | null;
  id: string;
  licenceNumber: string | null;
  name: string;
  phone: string | null;
  uniqueId: string | null;
  /** @format date-time */
  updatedAt: string;
  userId: string | null;
}

export interface DriverInput {
  cardNumber: string | null;
  /** @format date-time */
  createdAt: string;
  email: string | null;
  expenseCurrency: string | null;
  expenseLimit: number | null;
  id: string;
  licenceNumber: string | null;
  name: string;
  phone: string | null;
  uniqueId: string | null;
  /** @format date-time */
  updatedAt: string;
  userId: string | null;
}

export interface Expense {
  amount: number;
  /** @format date-time */
  createdAt: string;
  currency: string;
  driverId: string;
  id: string;
  note: string | null;
  /** @format date-time */
  spentAt: string;
  /** @format date-time */
  updatedAt: string;
}

export interface ExpenseInput {
  amount: number;
  /** @format date-time */
  createdAt: string;
  currency: string;
  driverId: string;
  id: string;
  note: string | null;
  /** @format date-time */
  spentAt: string;
  /** @format date-time */
  updatedAt: string;
}

export interface Geofence {
  area:
    | {
        /**
         * @maxItems 1000
         * @minItems 4
         */
        coordinates: number[][];
        type: "polygon";
      }
    | {
        /**
         * longitude, latitude
         * @maxItems 2
         * @minItems 2
         */
        center: number[];
        /**
         * @exclusiveMin 0
         * @max 1000000
         */
        radiusM: number;
        type: "circle";
      };
  /** @format date-time */
  createdAt: string;
  description: string | null;
  id: string;
  name: string;
  /** @format date-time */
  updatedAt: string;
}

export interface GeofenceInput {
  area:
    | {
        /**
         * @maxItems 1000
         * @minItems 4
         */
        coordinates: number[][];
        type: "polygon";
      }
    | {
        /**
         * longitude, latitude
         * @maxItems 2
         * @minItems 2
         */
        center: number[];
        /**
         * @exclusiveMin 0
         * @max 1000000
         */
        radiusM: number;
        type: "circle";
      };
  /** @format date-time */
  createdAt: string;
  description: string | null;
  id: string;
  name: string;
  /** @format date-time */
  updatedAt: string;
}

export interface Group {
  /** @format date-time */
  createdAt: string;
  description: string | null;
  id: string;
  name: string;
  /** @format date-time */
  updatedAt: string;
}

export interface GroupInput {
  /** @format date-time */
  createdAt: string;
  description: string | null;
  id: string;
  name: string;
  /** @format date-time */
  updatedAt: string;
}

export interface Infringement {
  article: string;
  /** minutes too many, or too few */
  delta: number;
  driverId: string;
  evidence: {
    fileIds: string[];
    /** @format date-time */
    from: string;
    kind: string;
    minutes: number;
    /** @format date-time */
    to: string;
  }[];
  /** @format date-time */
  foundAt: string;
  /** @format date-time */
  from: string;
  /** the same however often the files are analysed */
  id: string;
  italian: {
    band: "a" | "b" | "c" | null;
    comma: string;
    fine: {
      approximate: boolean;
      maxEur: number;
      minEur: number;
      table: string;
    } | null;
    law: "cds-174" | "dlgs-234";
    points: number | null;
  } | null;
  /** article 12 */
  justifiable: {
    allowedMinutes: number;
    article: string;
    /** @format date-time */
    compensateBy: string;
  } | null;
  /** minutes */
  limit: number;
  /** minutes */
  measured: number;
  note: string | null;
  remarks: string[];
  rule: string;
  /** of the Union; null where its lists do not grade it */
  severity: "MI" | "SI" | "VSI" | "MSI" | null;
  status: "open" | "justified" | "acknowledged";
  /** @format date-time */
  to: string;
  /** without data; they count in favour of the driver */
  unknownMinutes: number;
}

export interface InfringementInput {
  article: string;
  /** minutes too many, or too few */
  delta: number;
  driverId: string;
  evidence: {
    fileIds: string[];
    /** @format date-time */
    from: string;
    kind: string;
    minutes: number;
    /** @format date-time */
    to: string;
  }[];
  /** @format date-time */
  foundAt: string;
  /** @format date-time */
  from: string;
  /** the same however often the files are analysed */
  id: string;
  italian: {
    band: "a" | "b" | "c" | null;
    comma: string;
    fine: {
      approximate: boolean;
      maxEur: number;
      minEur: number;
      table: string;
    } | null;
    law: "cds-174" | "dlgs-234";
    points: number | null;
  } | null;
  /** article 12 */
  justifiable: {
    allowedMinutes: number;
    article: string;
    /** @format date-time */
    compensateBy: string;
  } | null;
  /** minutes */
  limit: number;
  /** minutes */
  measured: number;
  note: string | null;
  remarks: string[];
  rule: string;
  /** of the Union; null where its lists do not grade it */
  severity: "MI" | "SI" | "VSI" | "MSI" | null;
  status: "open" | "justified" | "acknowledged";
  /** @format date-time */
  to: string;
  /** without data; they count in favour of the driver */
  unknownMinutes: number;
}

export interface Key {
  /** @format date-time */
  createdAt: string;
  expiresAt: string | null;
  id: string;
  name: string;
  revokedAt: string | null;
  scopes: string[];
}

export interface KeyInput {
  /** @format date-time */
  createdAt: string;
  expiresAt: string | null;
  id: string;
  name: string;
  revokedAt: string | null;
  scopes: string[];
}

export interface LulDay {
  availabilityMin: number;
  breaksMin: number;
  cost: number | null;
  countries: number[];
  dailyRestMin: number;
  date: string;
  drivingMin: number;
  endClock: string | null;
  holidayMin: number;
  infringements: string[];
  km: number;
  minutesInDay: number;
  missingMin: number;
  nightAway: boolean | null;
  nightMin: number;
  nightPeriodMin: number;
  ordinaryMin: number;
  otherWorkMin: number;
  overtimeMin: number;
  plates: string[];
  /** worked, rest, no data */
  presence: "P" | "R" | "?";
  restMin: number;
  shiftEnd: string | null;
  shiftStart: string | null;
  spreadMin: number;
  startClock: string | null;
  travel: "home" | "abroad" | null;
  /** 1 Monday to 7 */
  weekday: number;
  workingMin: number;
}

export interface LulDayInput {
  availabilityMin: number;
  breaksMin: number;
  cost: number | null;
  countries: number[];
  dailyRestMin: number;
  date: string;
  drivingMin: number;
  endClock: string | null;
  holidayMin: number;
  infringements: string[];
  km: number;
  minutesInDay: number;
  missingMin: number;
  nightAway: boolean | null;
  nightMin: number;
  nightPeriodMin: number;
  ordinaryMin: number;
  otherWorkMin: number;
  overtimeMin: number;
  plates: string[];
  /** worked, rest, no data */
  presence: "P" | "R" | "?";
  restMin: number;
  shiftEnd: string | null;
  shiftStart: string | null;
  spreadMin: number;
  startClock: string | null;
  travel: "home" | "abroad" | null;
  /** 1 Monday to 7 */
  weekday: number;
  workingMin: number;
}

export interface Notification {
  body: string;
  /** the message that later data have shown to be otherwise */
  corrects: string | null;
  /** @format date-time */
  createdAt: string;
  delivery: {
    /** @format date-time */
    at: string;
    attempts: number;
    channel: "app" | "email" | "webhook" | "web_push" | "fcm";
    reason: string | null;
    state: "pending" | "delivered" | "failed" | "skipped";
  }[];
  id: string;
  imei: string | null;
  /**
   * by the clock of the device
   * @format date-time
   */
  occurredAt: string;
  position: {
    course?: number;
    /** @format date-time */
    fixTime?: string;
    latitude?: number;
    longitude?: number;
    speed?: number;
  } | null;
  priority: string;
  readAt: string | null;
  ruleId: string | null;
  targa: string | null;
  title: string;
  type: string;
  userId: string;
}

export interface NotificationInput {
  body: string;
  /** the message that later data have shown to be otherwise */
  corrects: string | null;
  /** @format date-time */
  createdAt: string;
  delivery: {
    /** @format date-time */
    at: string;
    attempts: number;
    channel: "app" | "email" | "webhook" | "web_push" | "fcm";
    reason: string | null;
    state: "pending" | "delivered" | "failed" | "skipped";
  }[];
  id: string;
  imei: string | null;
  /**
   * by the clock of the device
   * @format date-time
   */
  occurredAt: string;
  position: {
    course?: number;
    /** @format date-time */
    fixTime?: string;
    latitude?: number;
    longitude?: number;
    speed?: number;
  } | null;
  priority: string;
  readAt: string | null;
  ruleId: string | null;
  targa: string | null;
  title: string;
  type: string;
  userId: string;
}

export interface NotificationRule {
  /** unauthorized_use fires outside of them, all others inside; a day that is missing has none */
  auth_hours?: {
    friday?: {
      /** @default false */
      all_day: boolean;
      /**
       * not included; less than `min`: on the day after
       * @min 0
       * @max 24
       * @default 24
       */
      max: number;
      /**
       * hours as a decimal: 8.5 is 08:30
       * @min 0
       * @max 24
       * @default 0
       */
      min: number;
    };
    monday?: {
      /** @default false */
      all_day: boolean;
      /**
       * not included; less than `min`: on the day after
       * @min 0
       * @max 24
       * @default 24
       */
      max: number;
      /**
       * hours as a decimal: 8.5 is 08:30
       * @min 0
       * @max 24
       * @default 0
       */
      min: number;
    };
    saturday?: {
      /** @default false */
      all_day: boolean;
      /**
       * not included; less than `min`: on the day after
       * @min 0
       * @max 24
       * @default 24
       */
      max: number;
      /**
       * hours as a decimal: 8.5 is 08:30
       * @min 0
       * @max 24
       * @default 0
       */
      min: number;
    };
    sunday?: {
      /** @default false */
      all_day: boolean;
      /**
       * not included; less than `min`: on the day after
       * @min 0
       * @max 24
       * @default 24
       */
      max: number;
      /**
       * hours as a decimal: 8.5 is 08:30
       * @min 0
       * @max 24
       * @default 0
       */
      min: number;
    };
    thursday?: {
      /** @default false */
      all_day: boolean;
      /**
       * not included; less than `min`: on the day after
       * @min 0
       * @max 24
       * @default 24
       */
      max: number;
      /**
       * hours as a decimal: 8.5 is 08:30
       * @min 0
       * @max 24
       * @default 0
       */
      min: number;
    };
    tuesday?: {
      /** @default false */
      all_day: boolean;
      /**
       * not included; less than `min`: on the day after
       * @min 0
       * @max 24
       * @default 24
       */
      max: number;
      /**
       * hours as a decimal: 8.5 is 08:30
       * @min 0
       * @max 24
       * @default 0
       */
      min: number;
    };
    wednesday?: {
      /** @default false */
      all_day: boolean;
      /**
       * not included; less than `min`: on the day after
       * @min 0
       * @max 24
       * @default 24
       */
      max: number;
      /**
       * hours as a decimal: 8.5 is 08:30
       * @min 0
       * @max 24
       * @default 0
       */
      min: number;
    };
  };
  /**
   * @maxItems 5
   * @default ["app"]
   */
  channels: ("app" | "email" | "webhook" | "web_push" | "fcm")[];
  /**
   * @min 0
   * @max 604800
   * @default 0
   */
  cooldownSeconds: number;
  /**
   * @minLength 0
   * @maxLength 1000
   * @default ""
   * @pattern ^[^\0]*$
   */
  description: string;
  id: string;
  params?: {
    area?:
      | {
          /**
           * @maxItems 1000
           * @minItems 4
           */
          coordinates: number[][];
          type: "polygon";
        }
      | {
          /**
           * longitude, latitude
           * @maxItems 2
           * @minItems 2
           */
          center: number[];
          /**
           * @exclusiveMin 0
           * @max 1000000
           */
          radiusM: number;
          type: "circle";
        };
    /**
     * how long the condition must be over before the rule notifies again
     * @min 0
     * @max 86400
     */
    clearSeconds?: number;
    /**
     * maintenance: epoch ms
     * @exclusiveMin 0
     */
    dueAt?: number;
    /**
     * how long it must last
     * @min 0
     * @max 86400
     */
    dwellSeconds?: number;
    /**
     * maintenance
     * @exclusiveMin 0
     * @max 1000000
     */
    engineHours?: number;
    /**
     * ids or names
     * @maxItems 100
     * @minItems 1
     */
    geofences?: string[];
    /**
     * @min 0
     * @max 100
     */
    hysteresisKmh?: number;
    /**
     * m beyond the edge of a geofence that still are no exit
     * @min 0
     * @max 10000
     */
    hysteresisM?: number;
    /**
     * overspeed
     * @exclusiveMin 0
     * @max 500
     */
    limitKmh?: number;
    /**
     * fuel_drain, fuel_refill: at least so much
     * @exclusiveMin 0
     * @max 10000
     */
    litres?: number;
    /**
     * another name of `limitKmh`
     * @exclusiveMin 0
     * @max 500
     */
    maxSpeed?: number;
    /**
     * low_battery
     * @min 0
     * @max 100
     */
    minPercent?: number;
    /**
     * @min 0
     * @max 300
     */
    minSpeedKmh?: number;
    /**
     * power_cut: external supply below it
     * @min 0
     * @max 100
     */
    minVolts?: number;
    /**
     * maintenance
     * @exclusiveMin 0
     * @max 10000000
     */
    odometerKm?: number;
    /**
     * device_offline: silence
     * @min 60
     * @max 2592000
     */
    offlineSeconds?: number;
    /**
     * likewise, of a device that reports no litres
     * @exclusiveMin 0
     * @max 100
     */
    percent?: number;
    /**
     * longitude, latitude; the first pair repeated as the last
     * @maxItems 1000
     * @minItems 4
     */
    polygon?: number[][];
    /** command_result */
    states?: (
      | "acknowledged"
      | "failed"
      | "expired"
      | "unknown"
      | "cancelled"
    )[];
    /** overspeed: the limit that the device reports, where it does */
    useRoadLimit?: boolean;
    /**
     * where the channel `webhook` goes
     * @format uri
     * @maxLength 2000
     */
    webhookUrl?: string;
    /**
     * within so long
     * @min 0
     * @max 86400
     */
    windowSeconds?: number;
  };
  priority: string;
  timezone: string;
  type: string;
  /**
   * ids or user names
   * @maxItems 100
   * @minItems 1
   */
  users: string[];
  /**
   * plates, ids of vehicles, or of devices in none
   * @maxItems 5000
   * @minItems 1
   */
  vehicles: string[];
}

export interface NotificationRuleInput {
  /** unauthorized_use fires outside of them, all others inside; a day that is missing has none */
  auth_hours?: {
    friday?: {
      /** @default false */
      all_day?: boolean;
      /**
       * not included; less than `min`: on the day after
       * @min 0
       * @max 24
       * @default 24
       */
      max?: number;
      /**
       * hours as a decimal: 8.5 is 08:30
       * @min 0
       * @max 24
       * @default 0
       */
      min?: number;
    };
    monday?: {
      /** @default false */
      all_day?: boolean;
      /**
       * not included; less than `min`: on the day after
       * @min 0
       * @max 24
       * @default 24
       */
      max?: number;
      /**
       * hours as a decimal: 8.5 is 08:30
       * @min 0
       * @max 24
       * @default 0
       */
      min?: number;
    };
    saturday?: {
      /** @default false */
      all_day?: boolean;
      /**
       * not included; less than `min`: on the day after
       * @min 0
       * @max 24
       * @default 24
       */
      max?: number;
      /**
       * hours as a decimal: 8.5 is 08:30
       * @min 0
       * @max 24
       * @default 0
       */
      min?: number;
    };
    sunday?: {
      /** @default false */
      all_day?: boolean;
      /**
       * not included; less than `min`: on the day after
       * @min 0
       * @max 24
       * @default 24
       */
      max?: number;
      /**
       * hours as a decimal: 8.5 is 08:30
       * @min 0
       * @max 24
       * @default 0
       */
      min?: number;
    };
    thursday?: {
      /** @default false */
      all_day?: boolean;
      /**
       * not included; less than `min`: on the day after
       * @min 0
       * @max 24
       * @default 24
       */
      max?: number;
      /**
       * hours as a decimal: 8.5 is 08:30
       * @min 0
       * @max 24
       * @default 0
       */
      min?: number;
    };
    tuesday?: {
      /** @default false */
      all_day?: boolean;
      /**
       * not included; less than `min`: on the day after
       * @min 0
       * @max 24
       * @default 24
       */
      max?: number;
      /**
       * hours as a decimal: 8.5 is 08:30
       * @min 0
       * @max 24
       * @default 0
       */
      min?: number;
    };
    wednesday?: {
      /** @default false */
      all_day?: boolean;
      /**
       * not included; less than `min`: on the day after
       * @min 0
       * @max 24
       * @default 24
       */
      max?: number;
      /**
       * hours as a decimal: 8.5 is 08:30
       * @min 0
       * @max 24
       * @default 0
       */
      min?: number;
    };
  };
  /**
   * @maxItems 5
   * @default ["app"]
   */
  channels?: ("app" | "email" | "webhook" | "web_push" | "fcm")[];
  /**
   * @min 0
   * @max 604800
   * @default 0
   */
  cooldownSeconds?: number;
  /**
   * @minLength 0
   * @maxLength 1000
   * @default ""
   * @pattern ^[^\0]*$
   */
  description?: string;
  id: string;
  params?: {
    area?:
      | {
          /**
           * @maxItems 1000
           * @minItems 4
           */
          coordinates: number[][];
          type: "polygon";
        }
      | {
          /**
           * longitude, latitude
           * @maxItems 2
           * @minItems 2
           */
          center: number[];
          /**
           * @exclusiveMin 0
           * @max 1000000
           */
          radiusM: number;
          type: "circle";
        };
    /**
     * how long the condition must be over before the rule notifies again
     * @min 0
     * @max 86400
     */
    clearSeconds?: number;
    /**
     * maintenance: epoch ms
     * @exclusiveMin 0
     */
    dueAt?: number;
    /**
     * how long it must last
     * @min 0
     * @max 86400
     */
    dwellSeconds?: number;
    /**
     * maintenance
     * @exclusiveMin 0
     * @max 1000000
     */
    engineHours?: number;
    /**
     * ids or names
     * @maxItems 100
     * @minItems 1
     */
    geofences?: string[];
    /**
     * @min 0
     * @max 100
     */
    hysteresisKmh?: number;
    /**
     * m beyond the edge of a geofence that still are no exit
     * @min 0
     * @max 10000
     */
    hysteresisM?: number;
    /**
     * overspeed
     * @exclusiveMin 0
     * @max 500
     */
    limitKmh?: number;
    /**
     * fuel_drain, fuel_refill: at least so much
     * @exclusiveMin 0
     * @max 10000
     */
    litres?: number;
    /**
     * another name of `limitKmh`
     * @exclusiveMin 0
     * @max 500
     */
    maxSpeed?: number;
    /**
     * low_battery
     * @min 0
     * @max 100
     */
    minPercent?: number;
    /**
     * @min 0
     * @max 300
     */
    minSpeedKmh?: number;
    /**
     * power_cut: external supply below it
     * @min 0
     * @max 100
     */
    minVolts?: number;
    /**
     * maintenance
     * @exclusiveMin 0
     * @max 10000000
     */
    odometerKm?: number;
    /**
     * device_offline: silence
     * @min 60
     * @max 2592000
     */
    offlineSeconds?: number;
    /**
     * likewise, of a device that reports no litres
     * @exclusiveMin 0
     * @max 100
     */
    percent?: number;
    /**
     * longitude, latitude; the first pair repeated as the last
     * @maxItems 1000
     * @minItems 4
     */
    polygon?: number[][];
    /** command_result */
    states?: (
      | "acknowledged"
      | "failed"
      | "expired"
      | "unknown"
      | "cancelled"
    )[];
    /** overspeed: the limit that the device reports, where it does */
    useRoadLimit?: boolean;
    /**
     * where the channel `webhook` goes
     * @format uri
     * @maxLength 2000
     */
    webhookUrl?: string;
    /**
     * within so long
     * @min 0
     * @max 86400
     */
    windowSeconds?: number;
  };
  priority: string;
  timezone: string;
  type: string;
  /**
   * ids or user names
   * @maxItems 100
   * @minItems 1
   */
  users: string[];
  /**
   * plates, ids of vehicles, or of devices in none
   * @maxItems 5000
   * @minItems 1
   */
  vehicles: string[];
}

export interface Pairing {
  driverId: string | null;
  /** @format date-time */
  from: string;
  id: string;
  imei: string | null;
  source: "card" | "ibutton" | "app" | "manual" | "ddd";
  targa: string;
  /** null: it holds */
  to: string | null;
}

export interface PairingInput {
  driverId: string | null;
  /** @format date-time */
  from: string;
  id: string;
  imei: string | null;
  source: "card" | "ibutton" | "app" | "manual" | "ddd";
  targa: string;
  /** null: it holds */
  to: string | null;
}

export interface Problem {
  code: string;
  detail: string;
  errors?: {
    detail: string;
    pointer: string;
  }[];
  instance: string;
  requestId: string;
  status: number;
  title: string;
  type: string;
}

export interface ProblemInput {
  code: string;
  detail: string;
  errors?: {
    detail: string;
    pointer: string;
  }[];
  instance: string;
  requestId: string;
  status: number;
  title: string;
  type: string;
}

export interface Route {
  /** km/h while moving */
  avgSpeed: number;
  distanceM: number;
  driverId: string | null;
  durationS: number;
  end: {
    /** no geocoder is part of the product */
    address: null;
    /** @format date-time */
    at: string;
    latitude: number;
    longitude: number;
  };
  /** by the vehicle’s own total */
  fuelUsedL: number | null;
  /** of the vehicle’s device and the start: the same whenever it is asked for */
  id: string;
  /** stationary, engine on or not known */
  idleS: number;
  /** km/h */
  maxSpeed: number;
  movingS: number;
  /** precision 5, thinned out to 500 places */
  polyline: string | null;
  start: {
    /** no geocoder is part of the product */
    address: null;
    /** @format date-time */
    at: string;
    latitude: number;
    longitude: number;
  };
  stopBeforeS: number;
  targa: string;
}

export interface RouteInput {
  /** km/h while moving */
  avgSpeed: number;
  distanceM: number;
  driverId: string | null;
  durationS: number;
  end: {
    /** no geocoder is part of the product */
    address: null;
    /** @format date-time */
    at: string;
    latitude: number;
    longitude: number;
  };
  /** by the vehicle’s own total */
  fuelUsedL: number | null;
  /** of the vehicle’s device and the start: the same whenever it is asked for */
  id: string;
  /** stationary, engine on or not known */
  idleS: number;
  /** km/h */
  maxSpeed: number;
  movingS: number;
  /** precision 5, thinned out to 500 places */
  polyline: string | null;
  start: {
    /** no geocoder is part of the product */
    address: null;
    /** @format date-time */
    at: string;
    latitude: number;
    longitude: number;
  };
  stopBeforeS: number;
  targa: string;
}

export interface Session {
  /** JWT (EdDSA), see /.well-known/jwks.json */
  accessToken: string;
  /** s */
  expiresIn: number;
  /** s */
  refreshExpiresIn: number;
  /** good once: it is answered with the next one */
  refreshToken: string;
  scope: string;
  tokenType: "Bearer";
  user: {
    email: string | null;
    id: string;
    locale: string;
    name: string | null;
    role: "admin" | "manager" | "dispatcher" | "viewer" | "driver";
    tenant: string;
    timezone: string;
    username: string;
  };
}

export interface SessionInput {
  /** JWT (EdDSA), see /.well-known/jwks.json */
  accessToken: string;
  /** s */
  expiresIn: number;
  /** s */
  refreshExpiresIn: number;
  /** good once: it is answered with the next one */
  refreshToken: string;
  scope: string;
  tokenType: "Bearer";
  user: {
    email: string | null;
    id: string;
    locale: string;
    name: string | null;
    role: "admin" | "manager" | "dispatcher" | "viewer" | "driver";
    tenant: string;
    timezone: string;
    username: string;
  };
}

export interface SharedVehicle {
  externalId: string;
  fields: string[];
  imei: string | null;
  /** while it is shared, where `fields` has it */
  lastPosition?: {
    accuracy?: number;
    altitude?: number;
    attributes: Partial<Record<string, string | number | boolean>>;
    course?: number;
    /** @format date-time */
    deviceTime?: string;
    /** @format date-time */
    fixTime?: string;
    id: string;
    imei: string;
    /**
     * @min -90
     * @max 90
     */
    latitude?: number;
    /**
     * @min -180
     * @max 180
     */
    longitude?: number;
    named?: Partial<
      Record<
        string,
        {
          id: number;
          unit?: string;
          value: string | number | boolean;
        }
      >
    >;
    network?: {
      cells?: {
        cid: number;
        lac: number;
        mcc: number;
        mnc: number;
        rssi?: number;
      }[];
      wifi?: {
        mac: string;
        rssi?: number;
      }[];
    };
    outdated?: true;
    /** @maxLength 32 */
    protocol?: string;
    /** @format date-time */
    serverTime: string;
    speed?: number;
    valid: boolean;
  } | null;
  sharedFrom: string | null;
  sharedTo: string | null;
  targa: string;
}

export interface SharedVehicleInput {
  externalId: string;
  fields: string[];
  imei: string | null;
  /** while it is shared, where `fields` has it */
  lastPosition?: {
    accuracy?: number;
    altitude?: number;
    attributes: Partial<Record<string, string | number | boolean>>;
    course?: number;
    /** @format date-time */
    deviceTime?: string;
    /** @format date-time */
    fixTime?: string;
    id: string;
    imei: string;
    /**
     * @min -90
     * @max 90
     */
    latitude?: number;
    /**
     * @min -180
     * @max 180
     */
    longitude?: number;
    named?: Partial<
      Record<
        string,
        {
          id: number;
          unit?: string;
          value: string | number | boolean;
        }
      >
    >;
    network?: {
      cells?: {
        cid: number;
        lac: number;
        mcc: number;
        mnc: number;
        rssi?: number;
      }[];
      wifi?: {
        mac: string;
        rssi?: number;
      }[];
    };
    outdated?: true;
    /** @maxLength 32 */
    protocol?: string;
    /** @format date-time */
    serverTime: string;
    speed?: number;
    valid: boolean;
  } | null;
  sharedFrom: string | null;
  sharedTo: string | null;
  targa: string;
}

export interface TachographFile {
  /** of the bytes as they came, hex */
  sha256: string;
  analysedAt: string | null;
  card: {
    expiry: string | null;
    holder: string;
    nation: number;
    number: string;
  } | null;
  /** UTC days */
  coverage: {
    days: number;
    from: string;
    to: string;
  } | null;
  /** where the file contains it; of a card at least its last activity */
  downloadedAt: string | null;
  /** null: of a unit, or of a card that is no known driver’s yet */
  driverId: string | null;
  fileId: string;
  generations: string[];
  kind:
    | "driver-card"
    | "workshop-card"
    | "control-card"
    | "company-card"
    | "vehicle-unit";
  name: string;
  nextCalibration: string | null;
  signature: {
    verdict: "valid" | "invalid" | "unsigned" | "unverifiable";
  };
  size: number;
  /** waiting: for somebody to say whose card it is; stored: to be analysed */
  status: "waiting" | "stored" | "analysed";
  /** of a unit */
  targa: string | null;
  /** @format date-time */
  uploadedAt: string;
  vin: string | null;
}

export interface TachographFileInput {
  /** of the bytes as they came, hex */
  sha256: string;
  analysedAt: string | null;
  card: {
    expiry: string | null;
    holder: string;
    nation: number;
    number: string;
  } | null;
  /** UTC days */
  coverage: {
    days: number;
    from: string;
    to: string;
  } | null;
  /** where the file contains it; of a card at least its last activity */
  downloadedAt: string | null;
  /** null: of a unit, or of a card that is no known driver’s yet */
  driverId: string | null;
  fileId: string;
  generations: string[];
  kind:
    | "driver-card"
    | "workshop-card"
    | "control-card"
    | "company-card"
    | "vehicle-unit";
  name: string;
  nextCalibration: string | null;
  signature: {
    verdict: "valid" | "invalid" | "unsigned" | "unverifiable";
  };
  size: number;
  /** waiting: for somebody to say whose card it is; stored: to be analysed */
  status: "waiting" | "stored" | "analysed";
  /** of a unit */
  targa: string | null;
  /** @format date-time */
  uploadedAt: string;
  vin: string | null;
}

export interface TachographTerms {
  /**
   * what a shift over midnight belongs to
   * @default "calendar"
   */
  attribution: "calendar" | "shift";
  /** @default false */
  availabilityAsWork: boolean;
  /**
   * @min 10
   * @max 100000
   * @default 1000
   */
  baseRadiusM: number;
  /**
   * @maxItems 20
   * @default []
   */
  bases: {
    /**
     * @min -90
     * @max 90
     */
    latitude: number;
    /**
     * @min -180
     * @max 180
     */
    longitude: number;
  }[];
  /**
   * of the internal layout; of night hours what is paid on top
   * @default null
   */
  costs: {
    /** @pattern ^[A-Z]{3}$ */
    currency: string;
    /**
     * @min 0
     * @max 100000
     */
    km: number;
    /**
     * @min 0
     * @max 100000
     */
    nightHour: number;
    /**
     * @min 0
     * @max 100000
     */
    ordinaryHour: number;
    /**
     * @min 0
     * @max 100000
     */
    overtimeHour: number;
  } | null;
  /**
   * beside Sundays and those of Italy: a date, or month and day
   * @maxItems 50
   * @default []
   */
  holidays: string[];
  /**
   * NationNumeric
   * @min 0
   * @max 255
   * @default 26
   */
  homeNation: number;
  /**
   * further layouts by name; `bsq` replaces what that one has by itself
   * @default {}
   */
  layouts: Partial<
    Record<
      any,
      {
        /**
         * of lengths: 8:30, 510, 8.50
         * @default "clock"
         */
        as: "clock" | "minutes" | "hours" | "text";
        field:
          | "date"
          | "weekday"
          | "presence"
          | "start"
          | "end"
          | "spread"
          | "driving"
          | "work"
          | "availability"
          | "breaks"
          | "dailyRest"
          | "working"
          | "ordinary"
          | "overtime"
          | "night"
          | "nightPeriod"
          | "holiday"
          | "travel"
          | "nightAway"
          | "km"
          | "plates"
          | "countries"
          | "unknown"
          | "infringements"
          | "cost"
          | "absence"
          | "notes"
          | "driverName"
          | "driverId"
          | "cardNumber"
          | "month";
        /**
         * @minLength 1
         * @maxLength 60
         * @pattern ^[^\0]*$
         */
        title: string;
      }[]
    >
  >;
  /**
   * when night work is done, minutes of the day
   * @default {"from":0,"to":240}
   */
  night: {
    /**
     * @min 0
     * @max 1440
     */
    from: number;
    /**
     * @min 0
     * @max 1440
     */
    to: number;
  };
  /**
   * @min 1
   * @max 6
   * @default 4
   */
  referenceMonths: number;
  /**
   * of the drivers; null: nothing is said of derogations
   * @default null
   */
  residence: number | null;
  /** @default "goods" */
  service: "goods" | "regular-passengers" | "occasional-passengers";
  /**
   * @min 0
   * @max 1440
   * @default 360
   */
  travelFromMinutes: number;
  /**
   * time without data
   * @default "unknown"
   */
  unknownAs: "unknown" | "rest";
  /**
   * ordinary: 39 h; 47 h are 2820
   * @min 60
   * @max 4000
   * @default 2340
   */
  weeklyMinutes: number;
  /**
   * of payroll; null: the tenant’s, and Europe/Rome where that is UTC
   * @default null
   */
  zone: string | null;
}

export interface TachographTermsInput {
  /**
   * what a shift over midnight belongs to
   * @default "calendar"
   */
  attribution?: "calendar" | "shift";
  /** @default false */
  availabilityAsWork?: boolean;
  /**
   * @min 10
   * @max 100000
   * @default 1000
   */
  baseRadiusM?: number;
  /**
   * @maxItems 20
   * @default []
   */
  bases?: {
    /**
     * @min -90
     * @max 90
     */
    latitude: number;
    /**
     * @min -180
     * @max 180
     */
    longitude: number;
  }[];
  /**
   * of the internal layout; of night hours what is paid on top
   * @default null
   */
  costs?: {
    /** @pattern ^[A-Z]{3}$ */
    currency: string;
    /**
     * @min 0
     * @max 100000
     */
    km: number;
    /**
     * @min 0
     * @max 100000
     */
    nightHour: number;
    /**
     * @min 0
     * @max 100000
     */
    ordinaryHour: number;
    /**
     * @min 0
     * @max 100000
     */
    overtimeHour: number;
  } | null;
  /**
   * beside Sundays and those of Italy: a date, or month and day
   * @maxItems 50
   * @default []
   */
  holidays?: string[];
  /**
   * NationNumeric
   * @min 0
   * @max 255
   * @default 26
   */
  homeNation?: number;
  /**
   * further layouts by name; `bsq` replaces what that one has by itself
   * @default {}
   */
  layouts?: Partial<
    Record<
      any,
      {
        /**
         * of lengths: 8:30, 510, 8.50
         * @default "clock"
         */
        as?: "clock" | "minutes" | "hours" | "text";
        field:
          | "date"
          | "weekday"
          | "presence"
          | "start"
          | "end"
          | "spread"
          | "driving"
          | "work"
          | "availability"
          | "breaks"
          | "dailyRest"
          | "working"
          | "ordinary"
          | "overtime"
          | "night"
          | "nightPeriod"
          | "holiday"
          | "travel"
          | "nightAway"
          | "km"
          | "plates"
          | "countries"
          | "unknown"
          | "infringements"
          | "cost"
          | "absence"
          | "notes"
          | "driverName"
          | "driverId"
          | "cardNumber"
          | "month";
        /**
         * @minLength 1
         * @maxLength 60
         * @pattern ^[^\0]*$
         */
        title: string;
      }[]
    >
  >;
  /**
   * when night work is done, minutes of the day
   * @default {"from":0,"to":240}
   */
  night?: {
    /**
     * @min 0
     * @max 1440
     */
    from: number;
    /**
     * @min 0
     * @max 1440
     */
    to: number;
  };
  /**
   * @min 1
   * @max 6
   * @default 4
   */
  referenceMonths?: number;
  /**
   * of the drivers; null: nothing is said of derogations
   * @default null
   */
  residence?: number | null;
  /** @default "goods" */
  service?: "goods" | "regular-passengers" | "occasional-passengers";
  /**
   * @min 0
   * @max 1440
   * @default 360
   */
  travelFromMinutes?: number;
  /**
   * time without data
   * @default "unknown"
   */
  unknownAs?: "unknown" | "rest";
  /**
   * ordinary: 39 h; 47 h are 2820
   * @min 60
   * @max 4000
   * @default 2340
   */
  weeklyMinutes?: number;
  /**
   * of payroll; null: the tenant’s, and Europe/Rome where that is UTC
   * @default null
   */
  zone?: string | null;
}

export interface Tenant {
  /** false: none of its credentials is taken; what its devices send is kept */
  active: boolean;
  /** @format date-time */
  createdAt: string;
  devices: number;
  /**
   * as in log-ins; it cannot be changed
   * @pattern ^[a-z0-9-]{1,63}$
   */
  name: string;
  /** partners that the tenant may share vehicles with */
  partners: string[];
  timezone: string;
  title: string | null;
  /** @format date-time */
  updatedAt: string;
  users: number;
  vehicles: number;
}

export interface TenantInput {
  /** false: none of its credentials is taken; what its devices send is kept */
  active: boolean;
  /** @format date-time */
  createdAt: string;
  devices: number;
  /**
   * as in log-ins; it cannot be changed
   * @pattern ^[a-z0-9-]{1,63}$
   */
  name: string;
  /** partners that the tenant may share vehicles with */
  partners: string[];
  timezone: string;
  title: string | null;
  /** @format date-time */
  updatedAt: string;
  users: number;
  vehicles: number;
}

export interface User {
  active: boolean;
  /** false: those of `targhe` alone are the user’s */
  allVehicles: boolean;
  /** @format date-time */
  createdAt: string;
  email: string | null;
  id: string;
  lastLoginAt: string | null;
  locale: string;
  name: string | null;
  preferences: Partial<Record<string, any>>;
  role: "admin" | "manager" | "dispatcher" | "viewer" | "driver";
  targhe: string[];
  timezone: string | null;
  /** @format date-time */
  updatedAt: string;
  username: string;
  vehicles: number;
}

export interface UserInput {
  active: boolean;
  /** false: those of `targhe` alone are the user’s */
  allVehicles: boolean;
  /** @format date-time */
  createdAt: string;
  email: string | null;
  id: string;
  lastLoginAt: string | null;
  locale: string;
  name: string | null;
  preferences: Partial<Record<string, any>>;
  role: "admin" | "manager" | "dispatcher" | "viewer" | "driver";
  targhe: string[];
  timezone: string | null;
  /** @format date-time */
  updatedAt: string;
  username: string;
  vehicles: number;
}

export interface Vehicle {
  driver: {
    id: string;
    name: string;
  } | null;
  fuelTankLitres: number | null;
  /** name of its group */
  group: string | null;
  id: string;
  /** of the device that is in it now */
  imei: string | null;
  /** with include=lastPosition */
  lastPosition: {
    accuracy?: number;
    altitude?: number;
    attributes: Partial<Record<string, string | number | boolean>>;
    course?: number;
    /** @format date-time */
    deviceTime?: string;
    /** @format date-time */
    fixTime?: string;
    id: string;
    imei: string;
    /**
     * @min -90
     * @max 90
     */
    latitude?: number;
    /**
     * @min -180
     * @max 180
     */
    longitude?: number;
    named?: Partial<
      Record<
        string,
        {
          id: number;
          unit?: string;
          value: string | number | boolean;
        }
      >
    >;
    network?: {
      cells?: {
        cid: number;
        lac: number;
        mcc: number;
        mnc: number;
        rssi?: number;
      }[];
      wifi?: {
        mac: string;
        rssi?: number;
      }[];
    };
    outdated?: true;
    /** @maxLength 32 */
    protocol?: string;
    /** @format date-time */
    serverTime: string;
    speed?: number;
    valid: boolean;
  } | null;
  make: string | null;
  model: string | null;
  /** with include=session */
  sessionSince?: string | null;
  /** unknown: no position yet; offline: the device has no connection */
  status: "moving" | "idle" | "parked" | "offline" | "unknown";
  targa: string;
  /** @format date-time */
  updatedAt: string;
  vin: string | null;
  year: number | null;
}

export interface VehicleInput {
  driver: {
    id: string;
    name: string;
  } | null;
  fuelTankLitres: number | null;
  /** name of its group */
  group: string | null;
  id: string;
  /** of the device that is in it now */
  imei: string | null;
  /** with include=lastPosition */
  lastPosition: {
    accuracy?: number;
    altitude?: number;
    attributes: Partial<Record<string, string | number | boolean>>;
    course?: number;
    /** @format date-time */
    deviceTime?: string;
    /** @format date-time */
    fixTime?: string;
    id: string;
    imei: string;
    /**
     * @min -90
     * @max 90
     */
    latitude?: number;
    /**
     * @min -180
     * @max 180
     */
    longitude?: number;
    named?: Partial<
      Record<
        string,
        {
          id: number;
          unit?: string;
          value: string | number | boolean;
        }
      >
    >;
    network?: {
      cells?: {
        cid: number;
        lac: number;
        mcc: number;
        mnc: number;
        rssi?: number;
      }[];
      wifi?: {
        mac: string;
        rssi?: number;
      }[];
    };
    outdated?: true;
    /** @maxLength 32 */
    protocol?: string;
    /** @format date-time */
    serverTime: string;
    speed?: number;
    valid: boolean;
  } | null;
  make: string | null;
  model: string | null;
  /** with include=session */
  sessionSince?: string | null;
  /** unknown: no position yet; offline: the device has no connection */
  status: "moving" | "idle" | "parked" | "offline" | "unknown";
  targa: string;
  /** @format date-time */
  updatedAt: string;
  vin: string | null;
  year: number | null;
}

export type QueryParamsType = Record<string | number, any>;
export type ResponseFormat = keyof Omit<Body, "body" | "bodyUsed">;

export interface FullRequestParams extends Omit<RequestInit, "body"> {
  /** set parameter to `true` for call `securityWorker` for this request */
  secure?: boolean;
  /** request path */
  path: string;
  /** content type of request body */
  type?: ContentType;
  /** query params */
  query?: QueryParamsType;
  /** format of response (i.e. response.json() -> format: "json") */
  format?: ResponseFormat;
  /** request body */
  body?: unknown;
  /** base url */
  baseUrl?: string;
  /** request cancellation token */
  cancelToken?: CancelToken;
}

export type RequestParams = Omit<
  FullRequestParams,
  "body" | "method" | "query" | "path"
>;

export interface ApiConfig<SecurityDataType = unknown> {
  baseUrl?: string;
  baseApiParams?: Omit<RequestParams, "baseUrl" | "cancelToken" | "signal">;
  securityWorker?: (
    securityData: SecurityDataType | null,
  ) => Promise<RequestParams | void> | RequestParams | void;
  customFetch?: typeof fetch;
}

export interface HttpResponse<D extends unknown, E extends unknown = unknown>
  extends Response {
  data: D;
  error: E;
}

type CancelToken = Symbol | string | number;

export type ContentType =
  | "application/json"
  | "application/vnd.api+json"
  | "multipart/form-data"
  | "application/x-www-form-urlencoded"
  | "text/plain";

export class HttpClient<SecurityDataType = unknown> {
  public baseUrl: string = "/";
  private securityData: SecurityDataType | null = null;
  private securityWorker?: ApiConfig<SecurityDataType>["securityWorker"];
  private abortControllers = new Map<CancelToken, AbortController>();
  private customFetch = (...fetchParams: Parameters<typeof fetch>) =>
    fetch(...fetchParams);

  private baseApiParams: RequestParams = {
    credentials: "same-origin",
    headers: {},
    redirect: "follow",
    referrerPolicy: "no-referrer",
  };

  constructor(apiConfig: ApiConfig<SecurityDataType> = {}) {
    Object.assign(this, apiConfig);
  }

  public setSecurityData = (data: SecurityDataType | null) => {
    this.securityData = data;
  };

  protected encodeQueryParam(key: string, value: any) {
    const encodedKey = encodeURIComponent(key);
    return `${encodedKey}=${encodeURIComponent(typeof value === "number" ? value : `${value}`)}`;
  }

  protected addQueryParam(query: QueryParamsType, key: string) {
    return this.encodeQueryParam(key, query[key]);
  }

  protected addArrayQueryParam(query: QueryParamsType, key: string) {
    const value = query[key];
    return value.map((v: any) => this.encodeQueryParam(key, v)).join("&");
  }

  protected toQueryString(rawQuery?: QueryParamsType): string {
    const query = rawQuery || {};
    const keys = Object.keys(query).filter(
      (key) => "undefined" !== typeof query[key],
    );
    return keys
      .map((key) =>
        Array.isArray(query[key])
          ? this.addArrayQueryParam(query, key)
          : this.addQueryParam(query, key),
      )
      .join("&");
  }

  protected addQueryParams(rawQuery?: QueryParamsType): string {
    const queryString = this.toQueryString(rawQuery);
    return queryString ? `?${queryString}` : "";
  }

  private contentFormatters: Record<ContentType, (input: any) => any> = {
    ["application/json"]: (input: any) =>
      input !== null && (typeof input === "object" || typeof input === "string")
        ? JSON.stringify(input)
        : input,
    ["application/vnd.api+json"]: (input: any) =>
      input !== null && (typeof input === "object" || typeof input === "string")
        ? JSON.stringify(input)
        : input,
    ["text/plain"]: (input: any) =>
      input !== null && typeof input !== "string"
        ? JSON.stringify(input)
        : input,
    ["multipart/form-data"]: (input: any) => {
      if (input instanceof FormData) {
        return input;
      }

      return Object.keys(input || {}).reduce((formData, key) => {
        const property = input[key];
        formData.append(
          key,
          property instanceof Blob
            ? property
            : typeof property === "object" && property !== null
              ? JSON.stringify(property)
              : `${property}`,
        );
        return formData;
      }, new FormData());
    },
    ["application/x-www-form-urlencoded"]: (input: any) =>
      this.toQueryString(input),
  };

  protected mergeRequestParams(
    params1: RequestParams,
    params2?: RequestParams,
  ): RequestParams {
    return {
      ...this.baseApiParams,
      ...params1,
      ...(params2 || {}),
      headers: {
        ...(this.baseApiParams.headers || {}),
        ...(params1.headers || {}),
        ...((params2 && params2.headers) || {}),
      },
    };
  }

  protected createAbortSignal = (
    cancelToken: CancelToken,
  ): AbortSignal | undefined => {
    if (this.abortControllers.has(cancelToken)) {
      const abortController = this.abortControllers.get(cancelToken);
      if (abortController) {
        return abortController.signal;
      }
      return void 0;
    }

    const abortController = new AbortController();
    this.abortControllers.set(cancelToken, abortController);
    return abortController.signal;
  };

  public abortRequest = (cancelToken: CancelToken) => {
    const abortController = this.abortControllers.get(cancelToken);

    if (abortController) {
      abortController.abort();
      this.abortControllers.delete(cancelToken);
    }
  };

  public request = async <T = any, E = any>({
    body,
    secure,
    path,
    type,
    query,
    format,
    baseUrl,
    cancelToken,
    ...params
  }: FullRequestParams): Promise<HttpResponse<T, E>> => {
    const secureParams =
      ((typeof secure === "boolean" ? secure : this.baseApiParams.secure) &&
        this.securityWorker &&
        (await this.securityWorker(this.securityData))) ||
      {};
    const requestParams = this.mergeRequestParams(params, secureParams);
    const queryString = query && this.toQueryString(query);
    const payloadFormatter = this.contentFormatters[type || "application/json"];
    const responseFormat = format || requestParams.format;

    return this.customFetch(
      `${baseUrl || this.baseUrl || ""}${path}${queryString ? `?${queryString}` : ""}`,
      {
        ...requestParams,
        headers: {
          ...(requestParams.headers || {}),
          ...(type && type !== "multipart/form-data"
            ? { "Content-Type": type }
            : {}),
        },
        signal:
          (cancelToken
            ? this.createAbortSignal(cancelToken)
            : requestParams.signal) || null,
        body:
          typeof body === "undefined" || body === null
            ? null
            : payloadFormatter(body),
      },
    ).then(async (response) => {
      const r = response as HttpResponse<T, E>;
      r.data = null as unknown as T;
      r.error = null as unknown as E;

      const responseToParse = responseFormat ? response.clone() : response;
      const data = !responseFormat
        ? r
        : await responseToParse[responseFormat]()
            .then((data) => {
              if (r.ok) {
                r.data = data;
              } else {
                r.error = data;
              }
              return r;
            })
            .catch((e) => {
              r.error = e;
              return r;
            });

      if (cancelToken) {
        this.abortControllers.delete(cancelToken);
      }

      if (!response.ok) throw data;
      return data;
    });
  };
}

/**
 * @title Fleetgate
 * @version 0.1.0
 * @license Apache-2.0
 * @baseUrl /
 *
 * Positions of trackers, and what lies between a device and the service that wants it.
 */
export class Fleetgate<
  SecurityDataType extends unknown,
> extends HttpClient<SecurityDataType> {
  auth = {
    /**
     * @description The assertion authenticates: a JWT (HS256) signed with INTERNAL_KEY, with sub, exp and jti.
     *
     * @tags auth
     * @name PostAuthInternal
     * @summary A short token for one of the installation’s own services
     * @request POST:/v1/auth/internal
     */
    postAuthInternal: (
      data: {
        /**
         * @minLength 1
         * @maxLength 4096
         */
        assertion: string;
        service: "gateway" | "worker" | "console";
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          accessToken: string;
          /** seconds */
          expiresIn: number;
          scope: string;
          tokenType: "Bearer";
        },
        Problem
      >({
        path: `/v1/auth/internal`,
        method: "POST",
        body: data,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description Five wrong passwords for one user from one address lock that pair for a quarter of an hour (423). They lock out no other user and no key.
     *
     * @tags auth
     * @name PostAuthCredentials
     * @summary Log in with user name and password
     * @request POST:/v1/auth/credentials
     */
    postAuthCredentials: (
      data: {
        /**
         * one-time password or recovery code, of a user who has asked for them
         * @maxLength 20
         */
        otp?: string;
        /**
         * @minLength 1
         * @maxLength 1000
         */
        password: string;
        /**
         * name of the tenant; without it the first one, `default`
         * @minLength 0
         * @maxLength 63
         * @pattern ^[^\0]*$
         */
        tenant?: string;
        /**
         * @minLength 1
         * @maxLength 200
         * @pattern ^[^\0]*$
         */
        username: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<Session, Problem>({
        path: `/v1/auth/credentials`,
        method: "POST",
        body: data,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description Each is good once. One that comes a second time ends the session: somebody has a copy.
     *
     * @tags auth
     * @name PostAuthRefresh
     * @summary A new pair of tokens for a refresh token
     * @request POST:/v1/auth/refresh
     */
    postAuthRefresh: (
      data: {
        /**
         * ends its session; without it the caller’s own ends
         * @maxLength 500
         */
        refreshToken: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<Session, Problem>({
        path: `/v1/auth/refresh`,
        method: "POST",
        body: data,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description Ends sessions: their access tokens are refused at once, in every process.
     *
     * @tags auth
     * @name PostAuthRevoke
     * @summary Log out
     * @request POST:/v1/auth/revoke
     * @secure
     */
    postAuthRevoke: (
      data?: {
        /** every session of the caller ends */
        all?: boolean;
        /**
         * ends its session; without it the caller’s own ends
         * @maxLength 500
         */
        refreshToken?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          message: string;
          sessionsRevoked: number;
        },
        Problem
      >({
        path: `/v1/auth/revoke`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description With `apiKey` as JSON, or as OAuth 2.0 client credentials (a form, client id and secret in it or as Basic): the id is the key’s, the secret its last part or the whole of it.
     *
     * @tags auth
     * @name PostAuthUserApi
     * @summary A token for an API key
     * @request POST:/v1/auth/user_api
     */
    postAuthUserApi: (
      data: {
        /**
         * `flt_<env>_<id>_<secret>`
         * @maxLength 500
         */
        apiKey?: string;
        /** @maxLength 100 */
        client_id?: string;
        /** @maxLength 500 */
        client_secret?: string;
        /** OAuth 2.0, with client id and secret */
        grant_type?: "client_credentials";
        /**
         * id or name of the user that the token represents
         * @minLength 0
         * @maxLength 200
         * @pattern ^[^\0]*$
         */
        onBehalfOf?: string;
        /**
         * space-separated; without it all that the key has
         * @maxLength 2000
         */
        scope?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          accessToken: string;
          /** as OAuth 2.0 names it, where it was asked so */
          access_token?: string;
          expiresIn: number;
          expires_in?: number;
          scope: string;
          tokenType: "Bearer";
          token_type?: "Bearer";
        },
        Problem
      >({
        path: `/v1/auth/user_api`,
        method: "POST",
        body: data,
        type: "application/json",
        format: "json",
        ...params,
      }),
  };
  app = {
    /**
     * No description
     *
     * @tags app
     * @name GetAppVersion
     * @summary Version of the API, and whether an app is new enough for it
     * @request GET:/v1/app/version
     */
    getAppVersion: (
      query?: {
        /** @min 0 */
        build?: number;
        platform?: "ios" | "android" | "web";
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          api: string;
          features: Partial<Record<string, boolean>>;
          /** newest build of the app that is known, where one is */
          latest: number | null;
          message?: string;
          /** oldest build that is admitted */
          minimum: number;
          mustUpdate: boolean;
        },
        Problem
      >({
        path: `/v1/app/version`,
        method: "GET",
        query: query,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags app
     * @name PostAppAuth
     * @summary Log in from an app, or go on with a refresh token
     * @request POST:/v1/app/auth
     */
    postAppAuth: (
      data: {
        device?: {
          /** @min 0 */
          build?: number;
          /**
           * @minLength 1
           * @maxLength 200
           */
          id: string;
          /** @maxLength 200 */
          model?: string;
          platform?: "ios" | "android" | "web";
          /** @maxLength 4000 */
          pushToken?: string;
          /** @maxLength 50 */
          version?: string;
        };
        /**
         * one-time password or recovery code, of a user who has asked for them
         * @maxLength 20
         */
        otp?: string;
        /**
         * @minLength 1
         * @maxLength 1000
         */
        password?: string;
        /** @maxLength 500 */
        refreshToken?: string;
        /**
         * name of the tenant; without it the first one, `default`
         * @minLength 0
         * @maxLength 63
         * @pattern ^[^\0]*$
         */
        tenant?: string;
        /**
         * @minLength 1
         * @maxLength 200
         * @pattern ^[^\0]*$
         */
        username?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<AppSession, Problem>({
        path: `/v1/app/auth`,
        method: "POST",
        body: data,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description For an API key, the response has the id of the key and the role `service`.
     *
     * @tags app
     * @name GetAppMe
     * @summary Who am I, and what may I do?
     * @request GET:/v1/app/me
     * @secure
     */
    getAppMe: (params: RequestParams = {}) =>
      this.request<
        {
          badge: number;
          preferences: Partial<Record<string, any>>;
          scopes: string[];
          tenant: {
            name: string;
            timezone: string;
            title: string | null;
          };
          user: {
            email: string | null;
            id: string;
            locale: string;
            name: string | null;
            role:
              | "admin"
              | "manager"
              | "dispatcher"
              | "viewer"
              | "driver"
              | "service";
            timezone: string;
            username: string | null;
          };
          vehicles: number;
        },
        Problem
      >({
        path: `/v1/app/me`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description For an API key, the response has the id of the key and the role `service`.
     *
     * @tags app
     * @name GetAppMe2
     * @summary Who am I, and what may I do?
     * @request GET:/v1/app/ME
     * @originalName getAppMe
     * @duplicate
     * @secure
     */
    getAppMe2: (params: RequestParams = {}) =>
      this.request<
        {
          badge: number;
          preferences: Partial<Record<string, any>>;
          scopes: string[];
          tenant: {
            name: string;
            timezone: string;
            title: string | null;
          };
          user: {
            email: string | null;
            id: string;
            locale: string;
            name: string | null;
            role:
              | "admin"
              | "manager"
              | "dispatcher"
              | "viewer"
              | "driver"
              | "service";
            timezone: string;
            username: string | null;
          };
          vehicles: number;
        },
        Problem
      >({
        path: `/v1/app/ME`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description The answer is the same whether there is such a user. Five an hour for one user from one address.
     *
     * @tags app
     * @name PostAppRecoveryMode
     * @summary Ask for a new password
     * @request POST:/v1/app/recovery_mode
     */
    postAppRecoveryMode: (
      data: {
        /** codes are sent by e-mail whichever is asked for */
        channel?: "email" | "sms";
        /**
         * @minLength 0
         * @maxLength 320
         * @pattern ^[^\0]*$
         */
        email?: string;
        /**
         * name of the tenant; without it the first one, `default`
         * @minLength 0
         * @maxLength 63
         * @pattern ^[^\0]*$
         */
        tenant?: string;
        /**
         * @minLength 1
         * @maxLength 200
         * @pattern ^[^\0]*$
         */
        username?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          expiresIn: number;
          message: string;
        },
        Problem
      >({
        path: `/v1/app/recovery_mode`,
        method: "POST",
        body: data,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description By its token, or by user name and code. Every session of the user ends.
     *
     * @tags app
     * @name PutAppRecoveryMode
     * @summary Set a new password with what the mail says
     * @request PUT:/v1/app/recovery_mode
     */
    putAppRecoveryMode: (
      data: {
        /** @maxLength 50 */
        code?: string;
        /** @maxLength 1000 */
        newPassword: string;
        /**
         * name of the tenant; without it the first one, `default`
         * @minLength 0
         * @maxLength 63
         * @pattern ^[^\0]*$
         */
        tenant?: string;
        /** @maxLength 500 */
        token?: string;
        /**
         * @minLength 1
         * @maxLength 200
         * @pattern ^[^\0]*$
         */
        username?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          message: string;
          sessionsRevoked: number;
        },
        Problem
      >({
        path: `/v1/app/recovery_mode`,
        method: "PUT",
        body: data,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description Newest first. `severity`: at least this. `Retry-After` says when to look again. A key has none.
     *
     * @tags app
     * @name GetAppAlert
     * @summary What an app shows as alerts
     * @request GET:/v1/app/alert
     * @secure
     */
    getAppAlert: (
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        severity?: "low" | "normal" | "high" | "critical";
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD */
        since?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: Alert[];
          nextCursor: string | null;
          unread: number;
        },
        Problem
      >({
        path: `/v1/app/alert`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags app
     * @name PostAppAlertByIdAck
     * @summary An alert has been seen
     * @request POST:/v1/app/alert/{id}/ack
     * @secure
     */
    postAppAlertByIdAck: (id: string, params: RequestParams = {}) =>
      this.request<Alert, Problem>({
        path: `/v1/app/alert/${id}/ack`,
        method: "POST",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags app
     * @name GetAppPush
     * @summary List push subscriptions of browsers and apps
     * @request GET:/v1/app/push
     * @secure
     */
    getAppPush: (params: RequestParams = {}) =>
      this.request<
        {
          items: {
            channel: "web_push" | "fcm";
            /** @format date-time */
            createdAt: string;
            id: string;
            platform: string | null;
          }[];
          vapidPublicKey: string | null;
        },
        Problem
      >({
        path: `/v1/app/push`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description The same one again is the same record; it belongs to whoever registers it.
     *
     * @tags app
     * @name PostAppPush
     * @summary Register a browser (a PushSubscription) or an app (its FCM token)
     * @request POST:/v1/app/push
     * @secure
     */
    postAppPush: (
      data:
        | {
            channel: "web_push";
            /**
             * @format uri
             * @maxLength 2000
             */
            endpoint: string;
            keys: {
              /** @pattern ^[A-Za-z0-9_-]{86,87}=*$ */
              p256dh: string;
              /** @pattern ^[A-Za-z0-9_-]{21,22}=*$ */
              auth: string;
            };
          }
        | {
            channel: "fcm";
            /**
             * @minLength 0
             * @maxLength 50
             * @pattern ^[^\0]*$
             */
            platform?: string;
            /**
             * @minLength 10
             * @maxLength 4096
             * @pattern ^[^\0]*$
             */
            token: string;
          },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          channel: "web_push" | "fcm";
          /** @format date-time */
          createdAt: string;
          id: string;
          platform: string | null;
        },
        Problem
      >({
        path: `/v1/app/push`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags app
     * @name DeleteAppPushById
     * @summary Delete a push subscription
     * @request DELETE:/v1/app/push/{id}
     * @secure
     */
    deleteAppPushById: (id: string, params: RequestParams = {}) =>
      this.request<
        {
          id: string;
          message: string;
        },
        Problem
      >({
        path: `/v1/app/push/${id}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  audit = {
    /**
     * No description
     *
     * @tags audit
     * @name GetAudit
     * @summary Who did what, oldest first
     * @request GET:/v1/audit
     * @secure
     */
    getAudit: (
      query?: {
        /** @maxLength 200 */
        action?: string;
        /** @maxLength 100 */
        actor?: string;
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD */
        from?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /** @maxLength 200 */
        object?: string;
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD */
        to?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: AuditEntry[];
          nextCursor: string | null;
        },
        Problem
      >({
        path: `/v1/audit`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags audit
     * @name GetAuditChain
     * @summary Is the audit trail what was sealed?
     * @request GET:/v1/audit/chain
     * @secure
     */
    getAuditChain: (params: RequestParams = {}) =>
      this.request<
        {
          blocks: number;
          brokenBlock: number | null;
          /** hash of the last block, hex; kept elsewhere it proves all before it */
          head: string | null;
          intact: boolean;
        },
        Problem
      >({
        path: `/v1/audit/chain`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  vehicles = {
    /**
     * No description
     *
     * @tags vehicles
     * @name GetVehiclesExport
     * @summary All vehicles as CSV
     * @request GET:/v1/vehicles/export
     * @secure
     */
    getVehiclesExport: (params: RequestParams = {}) =>
      this.request<string, Problem>({
        path: `/v1/vehicles/export`,
        method: "GET",
        secure: true,
        ...params,
      }),

    /**
     * @description The first line names the fields, as in the export: id, targa, vin, make, model, year, group, fuelTankLitres. A line that has its id or targa in common with what is there changes it; the others make new ones. Each line stands for itself.
     *
     * @tags vehicles
     * @name PostVehiclesImport
     * @summary Create or change vehicles from CSV
     * @request POST:/v1/vehicles/import
     * @secure
     */
    postVehiclesImport: (data: string, params: RequestParams = {}) =>
      this.request<
        {
          results: {
            id: string | null;
            line: number;
            outcome: "created" | "updated" | "unchanged" | "rejected";
            problem?: {
              code: string;
              detail: string;
            };
          }[];
        },
        Problem
      >({
        path: `/v1/vehicles/import`,
        method: "POST",
        body: data,
        secure: true,
        type: "text/plain",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags vehicles
     * @name GetVehicles
     * @summary List vehicles
     * @request GET:/v1/vehicles
     * @secure
     */
    getVehicles: (
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * id or name
         * @minLength 1
         * @maxLength 200
         * @pattern ^[^\0]*$
         */
        group?: string;
        /**
         * comma-separated: lastPosition, driver, session, named; `named`: elements of lastPosition by their vendor’s names as well
         * @maxLength 100
         */
        include?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /**
         * part of plate, VIN, make or model
         * @minLength 1
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        q?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: Vehicle[];
          nextCursor: string | null;
        },
        Problem
      >({
        path: `/v1/vehicles`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags vehicles
     * @name PostVehicles
     * @summary Create a vehicle
     * @request POST:/v1/vehicles
     * @secure
     */
    postVehicles: (
      data: {
        fuelTankLitres?: number | null;
        /** id or name of a group */
        group?: string | null;
        make?: string | null;
        model?: string | null;
        /**
         * @minLength 1
         * @maxLength 64
         * @pattern ^[^\0]*$
         */
        targa: string;
        vin?: string | null;
        year?: number | null;
      },
      params: RequestParams = {},
    ) =>
      this.request<Vehicle, Problem>({
        path: `/v1/vehicles`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags vehicles
     * @name GetVehiclesUserByUserId
     * @summary Vehicles that a user is given
     * @request GET:/v1/vehicles/user/{user_id}
     * @secure
     */
    getVehiclesUserByUserId: (
      userId: string,
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * comma-separated: lastPosition, driver, session, named; `named`: elements of lastPosition by their vendor’s names as well
         * @maxLength 100
         */
        include?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: Vehicle[];
          nextCursor: string | null;
          userId: string;
        },
        Problem
      >({
        path: `/v1/vehicles/user/${userId}`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags vehicles
     * @name GetVehiclesImeiByImei
     * @summary The vehicle that a device is in
     * @request GET:/v1/vehicles/imei/{imei}
     * @secure
     */
    getVehiclesImeiByImei: (
      imei: string,
      query?: {
        /**
         * comma-separated: lastPosition, driver, session, named; `named`: elements of lastPosition by their vendor’s names as well
         * @maxLength 100
         */
        include?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<Vehicle, Problem>({
        path: `/v1/vehicles/imei/${imei}`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags vehicles
     * @name GetVehiclesByTarga
     * @summary A vehicle
     * @request GET:/v1/vehicles/{targa}
     * @secure
     */
    getVehiclesByTarga: (
      targa: string,
      query?: {
        /**
         * comma-separated: lastPosition, driver, session, named; `named`: elements of lastPosition by their vendor’s names as well
         * @maxLength 100
         */
        include?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<Vehicle, Problem>({
        path: `/v1/vehicles/${targa}`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Omitted fields are not changed. With If-Match, a record that was changed in the meantime is refused (412).
     *
     * @tags vehicles
     * @name PatchVehiclesByTarga
     * @summary Change a vehicle
     * @request PATCH:/v1/vehicles/{targa}
     * @secure
     */
    patchVehiclesByTarga: (
      targa: string,
      data: {
        fuelTankLitres?: number | null;
        /** id or name of a group */
        group?: string | null;
        make?: string | null;
        model?: string | null;
        /**
         * @minLength 1
         * @maxLength 64
         * @pattern ^[^\0]*$
         */
        targa?: string;
        vin?: string | null;
        year?: number | null;
      },
      params: RequestParams = {},
    ) =>
      this.request<Vehicle, Problem>({
        path: `/v1/vehicles/${targa}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description With its pairings; its device and the device’s positions stay.
     *
     * @tags vehicles
     * @name DeleteVehiclesByTarga
     * @summary Remove a vehicle
     * @request DELETE:/v1/vehicles/{targa}
     * @secure
     */
    deleteVehiclesByTarga: (targa: string, params: RequestParams = {}) =>
      this.request<
        {
          id: string;
          message: string;
        },
        Problem
      >({
        path: `/v1/vehicles/${targa}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Besides pairings entered by people and reported by devices (`card` is one that a device reads), `ddd` is from downloads of cards and units, where there is no pairing of that driver and vehicle; its distance is that of the odometer.
     *
     * @tags vehicles
     * @name PostVehiclesReportsPairingHistory
     * @summary Pairings of vehicles, drivers or devices in an interval, with time and distance
     * @request POST:/v1/vehicles/reports/pairing_history
     * @secure
     */
    postVehiclesReportsPairingHistory: (
      data: {
        /** @maxItems 500 */
        drivers?: string[];
        /** Unix milliseconds or RFC 3339 */
        from: number | string;
        /** @maxItems 500 */
        imeis?: string[];
        /** @default "both" */
        kind?: "driver" | "device" | "both";
        /** Unix milliseconds or RFC 3339 */
        to: number | string;
        /** @maxItems 500 */
        vehicles?: string[];
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: {
            /** as the device in the vehicle reported it, fix by fix; of `ddd` the odometer’s */
            distanceM: number;
            driverId: string | null;
            durationS: number;
            /** @format date-time */
            from: string;
            imei: string | null;
            source: "card" | "ibutton" | "app" | "manual" | "ddd";
            targa: string;
            /** null: it holds */
            to: string | null;
          }[];
        },
        Problem
      >({
        path: `/v1/vehicles/reports/pairing_history`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description The newest record. Where it carries no fix (`outdated`), the newest fix stands in for its coordinates, `fixTime` and `valid`. Records more than five minutes ahead of now are not considered.
     *
     * @tags vehicles
     * @name GetVehiclesByImeiPosition
     * @summary Newest position of a device
     * @request GET:/v1/vehicles/{imei}/position
     * @secure
     */
    getVehiclesByImeiPosition: (
      imei: string,
      query?: {
        /** `named`: elements by their vendor’s names, with scaled values and units, where the protocol names them */
        include?: "named";
        /**
         * a position that is older counts as none
         * @min 0
         */
        maxAgeMs?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          accuracy?: number;
          /**
           * since the fix
           * @min 0
           */
          ageMs: number;
          altitude?: number;
          attributes: Partial<Record<string, string | number | boolean>>;
          course?: number;
          /** @format date-time */
          deviceTime?: string;
          /** @format date-time */
          fixTime?: string;
          id: string;
          imei: string;
          /**
           * @min -90
           * @max 90
           */
          latitude?: number;
          /**
           * @min -180
           * @max 180
           */
          longitude?: number;
          named?: Partial<
            Record<
              string,
              {
                id: number;
                unit?: string;
                value: string | number | boolean;
              }
            >
          >;
          network?: {
            cells?: {
              cid: number;
              lac: number;
              mcc: number;
              mnc: number;
              rssi?: number;
            }[];
            wifi?: {
              mac: string;
              rssi?: number;
            }[];
          };
          online: boolean;
          outdated?: true;
          /** @maxLength 32 */
          protocol?: string;
          /** @format date-time */
          serverTime: string;
          speed?: number;
          targa: string | null;
          valid: boolean;
        },
        Problem
      >({
        path: `/v1/vehicles/${imei}/position`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description The newest record. Where it carries no fix (`outdated`), the newest fix stands in for its coordinates, `fixTime` and `valid`. Records more than five minutes ahead of now are not considered.
     *
     * @tags vehicles
     * @name GetVehiclesImeiByImeiPosition
     * @summary Newest position of a device
     * @request GET:/v1/vehicles/imei/{imei}/position
     * @secure
     */
    getVehiclesImeiByImeiPosition: (
      imei: string,
      query?: {
        /** `named`: elements by their vendor’s names, with scaled values and units, where the protocol names them */
        include?: "named";
        /**
         * a position that is older counts as none
         * @min 0
         */
        maxAgeMs?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          accuracy?: number;
          /**
           * since the fix
           * @min 0
           */
          ageMs: number;
          altitude?: number;
          attributes: Partial<Record<string, string | number | boolean>>;
          course?: number;
          /** @format date-time */
          deviceTime?: string;
          /** @format date-time */
          fixTime?: string;
          id: string;
          imei: string;
          /**
           * @min -90
           * @max 90
           */
          latitude?: number;
          /**
           * @min -180
           * @max 180
           */
          longitude?: number;
          named?: Partial<
            Record<
              string,
              {
                id: number;
                unit?: string;
                value: string | number | boolean;
              }
            >
          >;
          network?: {
            cells?: {
              cid: number;
              lac: number;
              mcc: number;
              mnc: number;
              rssi?: number;
            }[];
            wifi?: {
              mac: string;
              rssi?: number;
            }[];
          };
          online: boolean;
          outdated?: true;
          /** @maxLength 32 */
          protocol?: string;
          /** @format date-time */
          serverTime: string;
          speed?: number;
          targa: string | null;
          valid: boolean;
        },
        Problem
      >({
        path: `/v1/vehicles/imei/${imei}/position`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  groups = {
    /**
     * No description
     *
     * @tags groups
     * @name GetGroupsExport
     * @summary All groups as CSV
     * @request GET:/v1/groups/export
     * @secure
     */
    getGroupsExport: (params: RequestParams = {}) =>
      this.request<string, Problem>({
        path: `/v1/groups/export`,
        method: "GET",
        secure: true,
        ...params,
      }),

    /**
     * @description The first line names the fields, as in the export: id, name, description. A line that has its id or name in common with what is there changes it; the others make new ones. Each line stands for itself.
     *
     * @tags groups
     * @name PostGroupsImport
     * @summary Create or change groups from CSV
     * @request POST:/v1/groups/import
     * @secure
     */
    postGroupsImport: (data: string, params: RequestParams = {}) =>
      this.request<
        {
          results: {
            id: string | null;
            line: number;
            outcome: "created" | "updated" | "unchanged" | "rejected";
            problem?: {
              code: string;
              detail: string;
            };
          }[];
        },
        Problem
      >({
        path: `/v1/groups/import`,
        method: "POST",
        body: data,
        secure: true,
        type: "text/plain",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags groups
     * @name GetGroups
     * @summary List groups
     * @request GET:/v1/groups
     * @secure
     */
    getGroups: (
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /**
         * part of a name
         * @minLength 0
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        q?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: Group[];
          nextCursor: string | null;
        },
        Problem
      >({
        path: `/v1/groups`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags groups
     * @name PostGroups
     * @summary Create a group
     * @request POST:/v1/groups
     * @secure
     */
    postGroups: (
      data: {
        description?: string | null;
        /**
         * @minLength 1
         * @maxLength 200
         * @pattern ^[^\0]*$
         */
        name: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<Group, Problem>({
        path: `/v1/groups`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags groups
     * @name GetGroupsById
     * @summary A group
     * @request GET:/v1/groups/{id}
     * @secure
     */
    getGroupsById: (id: string, params: RequestParams = {}) =>
      this.request<Group, Problem>({
        path: `/v1/groups/${id}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Omitted fields are not changed. With If-Match, a record that was changed in the meantime is refused (412).
     *
     * @tags groups
     * @name PatchGroupsById
     * @summary Change a group
     * @request PATCH:/v1/groups/{id}
     * @secure
     */
    patchGroupsById: (
      id: string,
      data: {
        description?: string | null;
        /**
         * @minLength 1
         * @maxLength 200
         * @pattern ^[^\0]*$
         */
        name?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<Group, Problem>({
        path: `/v1/groups/${id}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags groups
     * @name DeleteGroupsById
     * @summary Remove a group
     * @request DELETE:/v1/groups/{id}
     * @secure
     */
    deleteGroupsById: (id: string, params: RequestParams = {}) =>
      this.request<
        {
          id: string;
          message: string;
        },
        Problem
      >({
        path: `/v1/groups/${id}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  geofences = {
    /**
     * No description
     *
     * @tags geofences
     * @name GetGeofencesExport
     * @summary All geofences as CSV
     * @request GET:/v1/geofences/export
     * @secure
     */
    getGeofencesExport: (params: RequestParams = {}) =>
      this.request<string, Problem>({
        path: `/v1/geofences/export`,
        method: "GET",
        secure: true,
        ...params,
      }),

    /**
     * @description The first line names the fields, as in the export: id, name, description, area. A line that has its id or name in common with what is there changes it; the others make new ones. Each line stands for itself.
     *
     * @tags geofences
     * @name PostGeofencesImport
     * @summary Create or change geofences from CSV
     * @request POST:/v1/geofences/import
     * @secure
     */
    postGeofencesImport: (data: string, params: RequestParams = {}) =>
      this.request<
        {
          results: {
            id: string | null;
            line: number;
            outcome: "created" | "updated" | "unchanged" | "rejected";
            problem?: {
              code: string;
              detail: string;
            };
          }[];
        },
        Problem
      >({
        path: `/v1/geofences/import`,
        method: "POST",
        body: data,
        secure: true,
        type: "text/plain",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags geofences
     * @name GetGeofences
     * @summary List geofences
     * @request GET:/v1/geofences
     * @secure
     */
    getGeofences: (
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /**
         * part of a name
         * @minLength 0
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        q?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: Geofence[];
          nextCursor: string | null;
        },
        Problem
      >({
        path: `/v1/geofences`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags geofences
     * @name PostGeofences
     * @summary Create a geofence
     * @request POST:/v1/geofences
     * @secure
     */
    postGeofences: (
      data: {
        area:
          | {
              /**
               * @maxItems 1000
               * @minItems 4
               */
              coordinates: number[][];
              type: "polygon";
            }
          | {
              /**
               * longitude, latitude
               * @maxItems 2
               * @minItems 2
               */
              center: number[];
              /**
               * @exclusiveMin 0
               * @max 1000000
               */
              radiusM: number;
              type: "circle";
            };
        description?: string | null;
        /**
         * @minLength 1
         * @maxLength 200
         * @pattern ^[^\0]*$
         */
        name: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<Geofence, Problem>({
        path: `/v1/geofences`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags geofences
     * @name GetGeofencesById
     * @summary A geofence
     * @request GET:/v1/geofences/{id}
     * @secure
     */
    getGeofencesById: (id: string, params: RequestParams = {}) =>
      this.request<Geofence, Problem>({
        path: `/v1/geofences/${id}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Omitted fields are not changed. With If-Match, a record that was changed in the meantime is refused (412).
     *
     * @tags geofences
     * @name PatchGeofencesById
     * @summary Change a geofence
     * @request PATCH:/v1/geofences/{id}
     * @secure
     */
    patchGeofencesById: (
      id: string,
      data: {
        area?:
          | {
              /**
               * @maxItems 1000
               * @minItems 4
               */
              coordinates: number[][];
              type: "polygon";
            }
          | {
              /**
               * longitude, latitude
               * @maxItems 2
               * @minItems 2
               */
              center: number[];
              /**
               * @exclusiveMin 0
               * @max 1000000
               */
              radiusM: number;
              type: "circle";
            };
        description?: string | null;
        /**
         * @minLength 1
         * @maxLength 200
         * @pattern ^[^\0]*$
         */
        name?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<Geofence, Problem>({
        path: `/v1/geofences/${id}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags geofences
     * @name DeleteGeofencesById
     * @summary Remove a geofence
     * @request DELETE:/v1/geofences/{id}
     * @secure
     */
    deleteGeofencesById: (id: string, params: RequestParams = {}) =>
      this.request<
        {
          id: string;
          message: string;
        },
        Problem
      >({
        path: `/v1/geofences/${id}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  drivers = {
    /**
     * No description
     *
     * @tags drivers
     * @name GetDriversExport
     * @summary All drivers as CSV
     * @request GET:/v1/drivers/export
     * @secure
     */
    getDriversExport: (params: RequestParams = {}) =>
      this.request<string, Problem>({
        path: `/v1/drivers/export`,
        method: "GET",
        secure: true,
        ...params,
      }),

    /**
     * @description The first line names the fields, as in the export: id, name, email, phone, licenceNumber, cardNumber, uniqueId, userId, expenseCurrency, expenseLimit. A line that has its id in common with what is there changes it; the others make new ones. Each line stands for itself.
     *
     * @tags drivers
     * @name PostDriversImport
     * @summary Create or change drivers from CSV
     * @request POST:/v1/drivers/import
     * @secure
     */
    postDriversImport: (data: string, params: RequestParams = {}) =>
      this.request<
        {
          results: {
            id: string | null;
            line: number;
            outcome: "created" | "updated" | "unchanged" | "rejected";
            problem?: {
              code: string;
              detail: string;
            };
          }[];
        },
        Problem
      >({
        path: `/v1/drivers/import`,
        method: "POST",
        body: data,
        secure: true,
        type: "text/plain",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags drivers
     * @name GetDrivers
     * @summary List drivers
     * @request GET:/v1/drivers
     * @secure
     */
    getDrivers: (
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /**
         * part of a name
         * @minLength 0
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        q?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: Driver[];
          nextCursor: string | null;
        },
        Problem
      >({
        path: `/v1/drivers`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags drivers
     * @name PostDrivers
     * @summary Create a driver
     * @request POST:/v1/drivers
     * @secure
     */
    postDrivers: (
      data: {
        /** of the tachograph card */
        cardNumber?: string | null;
        email?: string | null;
        expenseCurrency?: string | null;
        /** a calendar month */
        expenseLimit?: number | null;
        licenceNumber?: string | null;
        /**
         * @minLength 1
         * @maxLength 200
         * @pattern ^[^\0]*$
         */
        name: string;
        phone?: string | null;
        /** iButton, RFID or card as devices report it */
        uniqueId?: string | null;
        userId?: string | null;
      },
      params: RequestParams = {},
    ) =>
      this.request<Driver, Problem>({
        path: `/v1/drivers`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags drivers
     * @name GetDriversById
     * @summary A driver
     * @request GET:/v1/drivers/{id}
     * @secure
     */
    getDriversById: (id: string, params: RequestParams = {}) =>
      this.request<Driver, Problem>({
        path: `/v1/drivers/${id}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Omitted fields are not changed. With If-Match, a record that was changed in the meantime is refused (412).
     *
     * @tags drivers
     * @name PatchDriversById
     * @summary Change a driver
     * @request PATCH:/v1/drivers/{id}
     * @secure
     */
    patchDriversById: (
      id: string,
      data: {
        /** of the tachograph card */
        cardNumber?: string | null;
        email?: string | null;
        expenseCurrency?: string | null;
        /** a calendar month */
        expenseLimit?: number | null;
        licenceNumber?: string | null;
        /**
         * @minLength 1
         * @maxLength 200
         * @pattern ^[^\0]*$
         */
        name?: string;
        phone?: string | null;
        /** iButton, RFID or card as devices report it */
        uniqueId?: string | null;
        userId?: string | null;
      },
      params: RequestParams = {},
    ) =>
      this.request<Driver, Problem>({
        path: `/v1/drivers/${id}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags drivers
     * @name DeleteDriversById
     * @summary Remove a driver
     * @request DELETE:/v1/drivers/{id}
     * @secure
     */
    deleteDriversById: (id: string, params: RequestParams = {}) =>
      this.request<
        {
          id: string;
          message: string;
        },
        Problem
      >({
        path: `/v1/drivers/${id}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Driving times come from tachograph downloads and only where those are not older than 24 hours: what remains of old data is misleading, and therefore null.
     *
     * @tags drivers
     * @name GetDriversPlafond
     * @summary What drivers may still drive and spend
     * @request GET:/v1/drivers/plafond
     * @secure
     */
    getDriversPlafond: (
      query?: {
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD */
        at?: string;
        /**
         * @minLength 1
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        driver_id?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: {
            biweekly: {
              limitS: number | null;
              remainingS: number | null;
              usedS: number | null;
            };
            computedFrom: "ddd" | "live" | null;
            continuous: {
              nextBreakS: number | null;
              remainingS: number | null;
              usedS: number | null;
            };
            dataAsOf: string | null;
            /** the least of all that follows; null where the data are too old */
            drivableNowS: number | null;
            driverId: string;
            driving: {
              dailyLimitS: number | null;
              extendedLeft: number | null;
              remainingS: number | null;
              usedS: number | null;
            };
            /** of the calendar month; null where no limit is set */
            expense: {
              currency: string;
              limit: number;
              remaining: number;
              used: number;
            } | null;
            rest: {
              compensation: {
                /** @format date-time */
                dueBy: string;
                seconds: number;
              }[];
              minimumS: number | null;
              /** when a daily rest must begin; null: the driver is rested, or nothing is known */
              nextDueAt: string | null;
              reducedLeft: number | null;
              weeklyDueAt: string | null;
              weeklyMinimumS: number | null;
            };
            shift: {
              crew: boolean;
              /** @format date-time */
              latestEnd: string;
              /** @format date-time */
              startedAt: string;
            } | null;
            /** true: there are no tachograph data of the last 24 hours, and the driving times are null */
            stale: boolean;
            weekly: {
              limitS: number | null;
              remainingS: number | null;
              usedS: number | null;
            };
            workingTime: {
              weekRemainingS: number | null;
              weekUsedS: number | null;
            };
          }[];
        },
        Problem
      >({
        path: `/v1/drivers/plafond`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags drivers
     * @name GetDriversByIdPersonalData
     * @summary All that is kept of a driver
     * @request GET:/v1/drivers/{id}/personal_data
     * @secure
     */
    getDriversByIdPersonalData: (id: string, params: RequestParams = {}) =>
      this.request<
        {
          /** with messages, rules, sessions, browsers and apps */
          account: Partial<Record<string, any>> | null;
          audit: Partial<Record<string, any>>[];
          driver: Partial<Record<string, any>>;
          expenses: Partial<Record<string, any>>[];
          pairings: Partial<Record<string, any>>[];
          /** files without their bytes, days, payroll, infringements */
          tachograph: Partial<Record<string, any>>;
        },
        Problem
      >({
        path: `/v1/drivers/${id}/personal_data`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Name, contacts, card and account are removed. Positions of vehicles remain, under a number. The audit trail is kept for its retention period, as the law requires. So are tachograph files (a year), days (two years) and payroll (five); the files contain the name.
     *
     * @tags drivers
     * @name DeleteDriversByIdPersonalData
     * @summary Erase who a driver is
     * @request DELETE:/v1/drivers/{id}/personal_data
     * @secure
     */
    deleteDriversByIdPersonalData: (id: string, params: RequestParams = {}) =>
      this.request<
        {
          id: string;
          message: string;
        },
        Problem
      >({
        path: `/v1/drivers/${id}/personal_data`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  expenses = {
    /**
     * No description
     *
     * @tags expenses
     * @name GetExpensesExport
     * @summary All expenses as CSV
     * @request GET:/v1/expenses/export
     * @secure
     */
    getExpensesExport: (params: RequestParams = {}) =>
      this.request<string, Problem>({
        path: `/v1/expenses/export`,
        method: "GET",
        secure: true,
        ...params,
      }),

    /**
     * @description The first line names the fields, as in the export: id, driverId, spentAt, amount, currency, note. A line that has its id in common with what is there changes it; the others make new ones. Each line stands for itself.
     *
     * @tags expenses
     * @name PostExpensesImport
     * @summary Create or change expenses from CSV
     * @request POST:/v1/expenses/import
     * @secure
     */
    postExpensesImport: (data: string, params: RequestParams = {}) =>
      this.request<
        {
          results: {
            id: string | null;
            line: number;
            outcome: "created" | "updated" | "unchanged" | "rejected";
            problem?: {
              code: string;
              detail: string;
            };
          }[];
        },
        Problem
      >({
        path: `/v1/expenses/import`,
        method: "POST",
        body: data,
        secure: true,
        type: "text/plain",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags expenses
     * @name GetExpenses
     * @summary List expenses
     * @request GET:/v1/expenses
     * @secure
     */
    getExpenses: (
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /**
         * part of a name
         * @minLength 0
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        q?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: Expense[];
          nextCursor: string | null;
        },
        Problem
      >({
        path: `/v1/expenses`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags expenses
     * @name PostExpenses
     * @summary Create a expense
     * @request POST:/v1/expenses
     * @secure
     */
    postExpenses: (
      data: {
        /**
         * @min -9999999
         * @multipleOf 0.01
         * @max 9999999
         */
        amount: number;
        /** @pattern ^[A-Z]{3}$ */
        currency: string;
        /**
         * @minLength 1
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        driverId: string;
        note?: string | null;
        /** Unix milliseconds or RFC 3339 */
        spentAt: number | string;
      },
      params: RequestParams = {},
    ) =>
      this.request<Expense, Problem>({
        path: `/v1/expenses`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags expenses
     * @name GetExpensesById
     * @summary A expense
     * @request GET:/v1/expenses/{id}
     * @secure
     */
    getExpensesById: (id: string, params: RequestParams = {}) =>
      this.request<Expense, Problem>({
        path: `/v1/expenses/${id}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Omitted fields are not changed. With If-Match, a record that was changed in the meantime is refused (412).
     *
     * @tags expenses
     * @name PatchExpensesById
     * @summary Change a expense
     * @request PATCH:/v1/expenses/{id}
     * @secure
     */
    patchExpensesById: (
      id: string,
      data: {
        /**
         * @min -9999999
         * @multipleOf 0.01
         * @max 9999999
         */
        amount?: number;
        /** @pattern ^[A-Z]{3}$ */
        currency?: string;
        /**
         * @minLength 1
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        driverId?: string;
        note?: string | null;
        /** Unix milliseconds or RFC 3339 */
        spentAt?: number | string;
      },
      params: RequestParams = {},
    ) =>
      this.request<Expense, Problem>({
        path: `/v1/expenses/${id}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags expenses
     * @name DeleteExpensesById
     * @summary Remove a expense
     * @request DELETE:/v1/expenses/{id}
     * @secure
     */
    deleteExpensesById: (id: string, params: RequestParams = {}) =>
      this.request<
        {
          id: string;
          message: string;
        },
        Problem
      >({
        path: `/v1/expenses/${id}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  pairings = {
    /**
     * No description
     *
     * @tags pairings
     * @name GetPairingsExport
     * @summary All pairings as CSV
     * @request GET:/v1/pairings/export
     * @secure
     */
    getPairingsExport: (params: RequestParams = {}) =>
      this.request<string, Problem>({
        path: `/v1/pairings/export`,
        method: "GET",
        secure: true,
        ...params,
      }),

    /**
     * @description The first line names the fields, as in the export: id, targa, imei, driverId, source, from, to. A line that has its id, or vehicle, device or driver, and beginning in common with what is there changes it; the others make new ones. Each line stands for itself.
     *
     * @tags pairings
     * @name PostPairingsImport
     * @summary Create or change pairings from CSV
     * @request POST:/v1/pairings/import
     * @secure
     */
    postPairingsImport: (data: string, params: RequestParams = {}) =>
      this.request<
        {
          results: {
            id: string | null;
            line: number;
            outcome: "created" | "updated" | "unchanged" | "rejected";
            problem?: {
              code: string;
              detail: string;
            };
          }[];
        },
        Problem
      >({
        path: `/v1/pairings/import`,
        method: "POST",
        body: data,
        secure: true,
        type: "text/plain",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags pairings
     * @name GetPairings
     * @summary Which device and driver was in which vehicle, and when
     * @request GET:/v1/pairings
     * @secure
     */
    getPairings: (
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * @minLength 0
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        driverId?: string;
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD */
        from?: string;
        /** @pattern ^[A-Za-z0-9._:-]{1,64}$ */
        imei?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /**
         * @minLength 0
         * @maxLength 64
         * @pattern ^[^\0]*$
         */
        targa?: string;
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD */
        to?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: Pairing[];
          nextCursor: string | null;
        },
        Problem
      >({
        path: `/v1/pairings`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description What was in the vehicle, and where the device or driver was, ends then.
     *
     * @tags pairings
     * @name PostPairings
     * @summary Put a device or a driver into a vehicle
     * @request POST:/v1/pairings
     * @secure
     */
    postPairings: (
      data: {
        /**
         * @minLength 1
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        driverId?: string;
        /** Unix milliseconds or RFC 3339 */
        from?: number | string;
        /** @pattern ^[A-Za-z0-9._:-]{1,64}$ */
        imei?: string;
        /** @default "manual" */
        source?: "card" | "ibutton" | "app" | "manual" | "ddd";
        /**
         * @minLength 1
         * @maxLength 64
         * @pattern ^[^\0]*$
         */
        targa: string;
        /** Unix milliseconds or RFC 3339 */
        to?: number | string;
      },
      params: RequestParams = {},
    ) =>
      this.request<Pairing, Problem>({
        path: `/v1/pairings`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags pairings
     * @name PatchPairingsById
     * @summary End a pairing
     * @request PATCH:/v1/pairings/{id}
     * @secure
     */
    patchPairingsById: (
      id: string,
      data: {
        /** now, without it */
        to?: number | string;
      },
      params: RequestParams = {},
    ) =>
      this.request<Pairing, Problem>({
        path: `/v1/pairings/${id}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags pairings
     * @name DeletePairingsById
     * @summary Remove a pairing that never was
     * @request DELETE:/v1/pairings/{id}
     * @secure
     */
    deletePairingsById: (id: string, params: RequestParams = {}) =>
      this.request<
        {
          id: string;
          message: string;
        },
        Problem
      >({
        path: `/v1/pairings/${id}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  users = {
    /**
     * No description
     *
     * @tags users
     * @name GetUsersExport
     * @summary All users as CSV
     * @request GET:/v1/users/export
     * @secure
     */
    getUsersExport: (params: RequestParams = {}) =>
      this.request<string, Problem>({
        path: `/v1/users/export`,
        method: "GET",
        secure: true,
        ...params,
      }),

    /**
     * @description The first line names the fields, as in the export: id, username, name, email, role, active, allVehicles, targhe, locale, timezone. A line that has its id or username in common with what is there changes it; the others make new ones. Each line stands for itself.
     *
     * @tags users
     * @name PostUsersImport
     * @summary Create or change users from CSV
     * @request POST:/v1/users/import
     * @secure
     */
    postUsersImport: (data: string, params: RequestParams = {}) =>
      this.request<
        {
          results: {
            id: string | null;
            line: number;
            outcome: "created" | "updated" | "unchanged" | "rejected";
            problem?: {
              code: string;
              detail: string;
            };
          }[];
        },
        Problem
      >({
        path: `/v1/users/import`,
        method: "POST",
        body: data,
        secure: true,
        type: "text/plain",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags users
     * @name GetUsersByUserIdPersonalData
     * @summary All that is kept of a user
     * @request GET:/v1/users/{user_id}/personal_data
     * @secure
     */
    getUsersByUserIdPersonalData: (
      userId: string,
      params: RequestParams = {},
    ) =>
      this.request<
        {
          /** with messages, rules, sessions, browsers and apps */
          account: Partial<Record<string, any>>;
          audit: Partial<Record<string, any>>[];
        },
        Problem
      >({
        path: `/v1/users/${userId}/personal_data`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags users
     * @name GetUsersMePersonalData
     * @summary All that is kept of oneself
     * @request GET:/v1/users/me/personal_data
     * @secure
     */
    getUsersMePersonalData: (params: RequestParams = {}) =>
      this.request<
        {
          /** with messages, rules, sessions, browsers and apps */
          account: Partial<Record<string, any>>;
          audit: Partial<Record<string, any>>[];
        },
        Problem
      >({
        path: `/v1/users/me/personal_data`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags users
     * @name GetUsersApi
     * @summary Users
     * @request GET:/v1/users/api
     * @secure
     */
    getUsersApi: (
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /**
         * part of user name, name or e-mail address
         * @minLength 1
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        q?: string;
        role?: "admin" | "manager" | "dispatcher" | "viewer" | "driver";
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: {
            active: boolean;
            email: string | null;
            id: string;
            lastLoginAt: string | null;
            name: string | null;
            role: "admin" | "manager" | "dispatcher" | "viewer" | "driver";
            username: string;
            vehicles: number;
          }[];
          nextCursor: string | null;
        },
        Problem
      >({
        path: `/v1/users/api`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags users
     * @name GetUsers
     * @summary List users
     * @request GET:/v1/users
     * @secure
     */
    getUsers: (
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /**
         * part of user name, name or e-mail address
         * @minLength 1
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        q?: string;
        role?: "admin" | "manager" | "dispatcher" | "viewer" | "driver";
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: User[];
          nextCursor: string | null;
        },
        Problem
      >({
        path: `/v1/users`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Of a role that may no more than whoever creates him.
     *
     * @tags users
     * @name PostUsers
     * @summary Create a user
     * @request POST:/v1/users
     * @secure
     */
    postUsers: (
      data: {
        active?: boolean;
        allVehicles?: boolean;
        email?: string | null;
        /** @pattern ^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$ */
        locale?: string;
        name?: string | null;
        /**
         * without it the user cannot log in until a password is set by recovery
         * @maxLength 1000
         */
        password?: string;
        preferences?: Partial<Record<string, string | number | boolean | null>>;
        role: "admin" | "manager" | "dispatcher" | "viewer" | "driver";
        /** @maxItems 5000 */
        targhe?: string[];
        timezone?: string | null;
        /** @pattern ^[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}$ */
        username: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<User, Problem>({
        path: `/v1/users`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags users
     * @name GetUsersByUserId
     * @summary A user
     * @request GET:/v1/users/{user_id}
     * @secure
     */
    getUsersByUserId: (userId: string, params: RequestParams = {}) =>
      this.request<User, Problem>({
        path: `/v1/users/${userId}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description A new password, or `active: false`, ends every session of the user.
     *
     * @tags users
     * @name PatchUsersByUserId
     * @summary Change a user
     * @request PATCH:/v1/users/{user_id}
     * @secure
     */
    patchUsersByUserId: (
      userId: string,
      data: {
        active?: boolean;
        allVehicles?: boolean;
        email?: string | null;
        /** @pattern ^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$ */
        locale?: string;
        name?: string | null;
        /**
         * without it the user cannot log in until a password is set by recovery
         * @maxLength 1000
         */
        password?: string;
        preferences?: Partial<Record<string, string | number | boolean | null>>;
        role?: "admin" | "manager" | "dispatcher" | "viewer" | "driver";
        /** @maxItems 5000 */
        targhe?: string[];
        timezone?: string | null;
        /** @pattern ^[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}$ */
        username?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<User, Problem>({
        path: `/v1/users/${userId}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags users
     * @name DeleteUsersByUserId
     * @summary Remove a user
     * @request DELETE:/v1/users/{user_id}
     * @secure
     */
    deleteUsersByUserId: (userId: string, params: RequestParams = {}) =>
      this.request<
        {
          id: string;
          message: string;
        },
        Problem
      >({
        path: `/v1/users/${userId}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Every session ends, this one too.
     *
     * @tags users
     * @name PutUsersMePassword
     * @summary Change one’s own password
     * @request PUT:/v1/users/me/password
     * @secure
     */
    putUsersMePassword: (
      data: {
        /** @maxLength 1000 */
        currentPassword: string;
        /** @maxLength 1000 */
        newPassword: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          message: string;
        },
        Problem
      >({
        path: `/v1/users/me/password`,
        method: "PUT",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags users
     * @name GetUsersMeOtp
     * @summary Does one’s own log-in ask for one-time passwords?
     * @request GET:/v1/users/me/otp
     * @secure
     */
    getUsersMeOtp: (params: RequestParams = {}) =>
      this.request<
        {
          enabled: boolean;
          recoveryCodesLeft: number;
        },
        Problem
      >({
        path: `/v1/users/me/otp`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description The secret is for an authenticator. It counts once a first code of it has been confirmed.
     *
     * @tags users
     * @name PostUsersMeOtp
     * @summary Ask for one-time passwords (TOTP, RFC 6238) at one’s own log-in
     * @request POST:/v1/users/me/otp
     * @secure
     */
    postUsersMeOtp: (
      data: {
        /** @maxLength 1000 */
        password: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          /** base32 */
          secret: string;
          uri: string;
        },
        Problem
      >({
        path: `/v1/users/me/otp`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags users
     * @name DeleteUsersMeOtp
     * @summary End them
     * @request DELETE:/v1/users/me/otp
     * @secure
     */
    deleteUsersMeOtp: (
      query: {
        /**
         * six digits, or a recovery code
         * @minLength 1
         * @maxLength 20
         */
        otp: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          message: string;
        },
        Problem
      >({
        path: `/v1/users/me/otp`,
        method: "DELETE",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Answers with ten recovery codes, shown this once: each stands in for a one-time password, once.
     *
     * @tags users
     * @name PostUsersMeOtpConfirm
     * @summary Confirm them with a first code
     * @request POST:/v1/users/me/otp/confirm
     * @secure
     */
    postUsersMeOtpConfirm: (
      data: {
        /**
         * six digits, or a recovery code
         * @minLength 1
         * @maxLength 20
         */
        otp: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          recoveryCodes: string[];
        },
        Problem
      >({
        path: `/v1/users/me/otp/confirm`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description For one who has lost both telephone and recovery codes: the password alone opens then.
     *
     * @tags users
     * @name DeleteUsersByUserIdOtp
     * @summary End a user’s one-time passwords
     * @request DELETE:/v1/users/{user_id}/otp
     * @secure
     */
    deleteUsersByUserIdOtp: (userId: string, params: RequestParams = {}) =>
      this.request<
        {
          message: string;
        },
        Problem
      >({
        path: `/v1/users/${userId}/otp`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  partners = {
    /**
     * No description
     *
     * @tags partners
     * @name GetQoraVehicles
     * @summary Vehicles that are shared with the partner
     * @request GET:/v1/qora/vehicles/
     * @secure
     */
    getQoraVehicles: (
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD */
        updatedSince?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: SharedVehicle[];
          nextCursor: string | null;
        },
        Problem
      >({
        path: `/v1/qora/vehicles/`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags partners
     * @name PostQoraVehicles
     * @summary Share vehicles, or change what is shared
     * @request POST:/v1/qora/vehicles/
     * @secure
     */
    postQoraVehicles: (
      data: {
        /** @maxItems 500 */
        vehicles: {
          /**
           * @minLength 1
           * @maxLength 100
           * @pattern ^[^\0]*$
           */
          externalId: string;
          /** @maxItems 1 */
          fields?: "lastPosition"[];
          /** @pattern ^[A-Za-z0-9._:-]{1,64}$ */
          imei?: string;
          /** Unix milliseconds or RFC 3339 */
          sharedFrom?: (number | string) | null;
          /** Unix milliseconds or RFC 3339 */
          sharedTo?: (number | string) | null;
          /**
           * @minLength 1
           * @maxLength 64
           * @pattern ^[^\0]*$
           */
          targa: string;
        }[];
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          results: {
            externalId: string;
            outcome: "created" | "updated" | "unchanged" | "rejected";
            problem?: {
              code: string;
              title: string;
            };
            targa: string;
          }[];
        },
        Problem
      >({
        path: `/v1/qora/vehicles/`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),
  };
  tenants = {
    /**
     * @description Of the operator’s own tenant alone, like all that follows here.
     *
     * @tags tenants
     * @name GetTenants
     * @summary List tenants
     * @request GET:/v1/tenants
     * @secure
     */
    getTenants: (
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: Tenant[];
          nextCursor: string | null;
        },
        Problem
      >({
        path: `/v1/tenants`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description With `admin` its first administrator is made too, who makes the other users.
     *
     * @tags tenants
     * @name PostTenants
     * @summary Create a tenant
     * @request POST:/v1/tenants
     * @secure
     */
    postTenants: (
      data: {
        /** its first administrator */
        admin?: {
          email?: string | null;
          name?: string | null;
          /**
           * without it the user cannot log in until a password is set by recovery
           * @maxLength 1000
           */
          password?: string;
          /** @pattern ^[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}$ */
          username: string;
        };
        /** @pattern ^[a-z0-9-]{1,63}$ */
        name: string;
        /** @maxItems 10 */
        partners?: "qora"[];
        /** @maxLength 64 */
        timezone?: string;
        title?: string | null;
      },
      params: RequestParams = {},
    ) =>
      this.request<Tenant, Problem>({
        path: `/v1/tenants`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags tenants
     * @name GetTenantsByTenant
     * @summary A tenant
     * @request GET:/v1/tenants/{tenant}
     * @secure
     */
    getTenantsByTenant: (tenant: string, params: RequestParams = {}) =>
      this.request<Tenant, Problem>({
        path: `/v1/tenants/${tenant}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description With `active: false` none of its passwords, keys and tokens is accepted any longer, at once; what its devices send is kept, and with `active: true` all is as it was.
     *
     * @tags tenants
     * @name PatchTenantsByTenant
     * @summary Change a tenant, or switch it off and on
     * @request PATCH:/v1/tenants/{tenant}
     * @secure
     */
    patchTenantsByTenant: (
      tenant: string,
      data: {
        active?: boolean;
        /** @maxItems 10 */
        partners?: "qora"[];
        /** @maxLength 64 */
        timezone?: string;
        title?: string | null;
      },
      params: RequestParams = {},
    ) =>
      this.request<Tenant, Problem>({
        path: `/v1/tenants/${tenant}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description With all of its data. The audit trail is kept.
     *
     * @tags tenants
     * @name DeleteTenantsByTenant
     * @summary Remove a tenant that is switched off
     * @request DELETE:/v1/tenants/{tenant}
     * @secure
     */
    deleteTenantsByTenant: (tenant: string, params: RequestParams = {}) =>
      this.request<
        {
          message: string;
          /** @pattern ^[a-z0-9-]{1,63}$ */
          name: string;
        },
        Problem
      >({
        path: `/v1/tenants/${tenant}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  keys = {
    /**
     * No description
     *
     * @tags keys
     * @name GetKeys
     * @summary API keys
     * @request GET:/v1/keys
     * @secure
     */
    getKeys: (params: RequestParams = {}) =>
      this.request<
        {
          items: Key[];
          nextCursor: null;
        },
        Problem
      >({
        path: `/v1/keys`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Shown this once. It may no more than whoever makes it.
     *
     * @tags keys
     * @name PostKeys
     * @summary Make an API key
     * @request POST:/v1/keys
     * @secure
     */
    postKeys: (
      data: {
        /**
         * that it is good for; for ever without
         * @min 1
         * @max 36500
         */
        days?: number;
        /**
         * @minLength 1
         * @maxLength 200
         * @pattern ^[^\0]*$
         */
        name: string;
        /**
         * `commands:dangerous` is the deprecated name of `commands:privileged`
         * @minItems 1
         */
        scopes: (
          | "app"
          | "commands:privileged"
          | "commands:read"
          | "commands:write"
          | "ddd:read"
          | "ddd:write"
          | "devices:read"
          | "devices:write"
          | "diagnostics"
          | "drivers:read"
          | "drivers:write"
          | "notifications:read"
          | "notifications:write"
          | "ops"
          | "ops:write"
          | "partner:qora:read"
          | "partner:qora:write"
          | "payroll:read"
          | "positions:read"
          | "positions:write"
          | "routes:read"
          | "tenants:read"
          | "tenants:write"
          | "users:read"
          | "users:write"
          | "vehicles:read"
          | "vehicles:write"
          | "webhooks:write"
          | "commands:dangerous"
        )[];
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          id: string;
          key: string;
          scopes: string[];
        },
        Problem
      >({
        path: `/v1/keys`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description Every process forgets it at once, and the tokens that were given for it.
     *
     * @tags keys
     * @name DeleteKeysById
     * @summary End an API key
     * @request DELETE:/v1/keys/{id}
     * @secure
     */
    deleteKeysById: (id: string, params: RequestParams = {}) =>
      this.request<
        {
          id: string;
          message: string;
        },
        Problem
      >({
        path: `/v1/keys/${id}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  diagnostics = {
    /**
     * No description
     *
     * @tags diagnostics
     * @name PostUnamerda
     * @summary Echo: what arrives here is answered, nothing is kept
     * @request POST:/v1/unamerda
     * @secure
     */
    postUnamerda: (data?: any, params: RequestParams = {}) =>
      this.request<
        {
          sha256: string;
          bytes: number;
          echo: any;
          ok: true;
          receivedAt: string;
          requestId: string;
        },
        Problem
      >({
        path: `/v1/unamerda`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags diagnostics
     * @name PostDiagnosticsEcho
     * @summary Echo: what arrives here is answered, nothing is kept
     * @request POST:/v1/diagnostics/echo
     * @secure
     */
    postDiagnosticsEcho: (data?: any, params: RequestParams = {}) =>
      this.request<
        {
          sha256: string;
          bytes: number;
          echo: any;
          ok: true;
          receivedAt: string;
          requestId: string;
        },
        Problem
      >({
        path: `/v1/diagnostics/echo`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags diagnostics
     * @name PostCaccaMerda
     * @summary Probe: the problem that is asked for is answered
     * @request POST:/v1/cacca_merda
     * @secure
     */
    postCaccaMerda: (
      data?: {
        /** @pattern ^[a-z0-9-]{1,64}$ */
        code?: string;
        /**
         * of the problem that is answered
         * @default 418
         */
        status?: 200 | number;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          ok: true;
        },
        Problem
      >({
        path: `/v1/cacca_merda`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags diagnostics
     * @name PostDiagnosticsProblem
     * @summary Probe: the problem that is asked for is answered
     * @request POST:/v1/diagnostics/problem
     * @secure
     */
    postDiagnosticsProblem: (
      data?: {
        /** @pattern ^[a-z0-9-]{1,64}$ */
        code?: string;
        /**
         * of the problem that is answered
         * @default 418
         */
        status?: 200 | number;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          ok: true;
        },
        Problem
      >({
        path: `/v1/diagnostics/problem`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),
  };
  tachograph = {
    /**
     * @description Cards and vehicle units: a form with any number of files (of a folder too), the bytes with `?filename=`, or `{"fileBase64", "fileName"}`. The bytes are kept as they came. The same bytes again are a `duplicate`. A card is matched to a driver by nation and the 14 characters that renewals keep; files of unknown drivers wait. About one file the answer is the file; about several it is `results`, where files that are no downloads are listed beside the others.
     *
     * @tags tachograph
     * @name PostDriversDdd
     * @summary Store tachograph downloads
     * @request POST:/v1/drivers/ddd
     * @secure
     */
    postDriversDdd: (
      query?: {
        /**
         * @minLength 0
         * @maxLength 1000
         * @pattern ^[^\0]*$
         */
        filename?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        | {
            /** of the bytes as they came, hex */
            sha256: string;
            analysedAt: string | null;
            card: {
              expiry: string | null;
              holder: string;
              nation: number;
              number: string;
            } | null;
            /** UTC days */
            coverage: {
              days: number;
              from: string;
              to: string;
            } | null;
            /** where the file contains it; of a card at least its last activity */
            downloadedAt: string | null;
            /** null: of a unit, or of a card that is no known driver’s yet */
            driverId: string | null;
            /** the same bytes were there already */
            duplicate: boolean;
            fileId: string;
            generations: string[];
            kind:
              | "driver-card"
              | "workshop-card"
              | "control-card"
              | "company-card"
              | "vehicle-unit";
            name: string;
            nextCalibration: string | null;
            signature: {
              verdict: "valid" | "invalid" | "unsigned" | "unverifiable";
            };
            size: number;
            /** waiting: for somebody to say whose card it is; stored: to be analysed */
            status: "waiting" | "stored" | "analysed";
            /** of a unit */
            targa: string | null;
            /** @format date-time */
            uploadedAt: string;
            vin: string | null;
          }
        | {
            results: {
              file?: {
                /** of the bytes as they came, hex */
                sha256: string;
                analysedAt: string | null;
                card: {
                  expiry: string | null;
                  holder: string;
                  nation: number;
                  number: string;
                } | null;
                /** UTC days */
                coverage: {
                  days: number;
                  from: string;
                  to: string;
                } | null;
                /** where the file contains it; of a card at least its last activity */
                downloadedAt: string | null;
                /** null: of a unit, or of a card that is no known driver’s yet */
                driverId: string | null;
                /** the same bytes were there already */
                duplicate: boolean;
                fileId: string;
                generations: string[];
                kind:
                  | "driver-card"
                  | "workshop-card"
                  | "control-card"
                  | "company-card"
                  | "vehicle-unit";
                name: string;
                nextCalibration: string | null;
                signature: {
                  verdict: "valid" | "invalid" | "unsigned" | "unverifiable";
                };
                size: number;
                /** waiting: for somebody to say whose card it is; stored: to be analysed */
                status: "waiting" | "stored" | "analysed";
                /** of a unit */
                targa: string | null;
                /** @format date-time */
                uploadedAt: string;
                vin: string | null;
              };
              name: string;
              outcome: "stored" | "duplicate" | "rejected";
              problem?: {
                code: string;
                detail: string;
              };
            }[];
          },
        Problem
      >({
        path: `/v1/drivers/ddd`,
        method: "POST",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags tachograph
     * @name GetDriversDddFiles
     * @summary Stored tachograph files
     * @request GET:/v1/drivers/ddd/files
     * @secure
     */
    getDriversDddFiles: (
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * @minLength 0
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        driver_id?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /**
         * @minLength 0
         * @maxLength 64
         * @pattern ^[^\0]*$
         */
        targa?: string;
        /** true: of unknown drivers */
        waiting?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: TachographFile[];
          nextCursor: string | null;
        },
        Problem
      >({
        path: `/v1/drivers/ddd/files`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags tachograph
     * @name GetDriversDddFilesById
     * @summary A tachograph file, with the result of each signature check and its errors
     * @request GET:/v1/drivers/ddd/files/{id}
     * @secure
     */
    getDriversDddFilesById: (id: string, params: RequestParams = {}) =>
      this.request<
        {
          /** of the bytes as they came, hex */
          sha256: string;
          analysedAt: string | null;
          card: {
            expiry: string | null;
            holder: string;
            nation: number;
            number: string;
          } | null;
          /** UTC days */
          coverage: {
            days: number;
            from: string;
            to: string;
          } | null;
          /** where the file contains it; of a card at least its last activity */
          downloadedAt: string | null;
          /** null: of a unit, or of a card that is no known driver’s yet */
          driverId: string | null;
          fileId: string;
          generations: string[];
          kind:
            | "driver-card"
            | "workshop-card"
            | "control-card"
            | "company-card"
            | "vehicle-unit";
          name: string;
          nextCalibration: string | null;
          signature: {
            verdict: "valid" | "invalid" | "unsigned" | "unverifiable";
          };
          signatures: {
            file: string;
            offset?: number;
            reason?: string;
            verdict: "valid" | "invalid" | "unsigned" | "unverifiable";
          }[];
          size: number;
          /** waiting: for somebody to say whose card it is; stored: to be analysed */
          status: "waiting" | "stored" | "analysed";
          /** of a unit */
          targa: string | null;
          /** @format date-time */
          uploadedAt: string;
          vin: string | null;
          warnings: {
            code: string;
            detail: string;
            offset?: number;
            where: string;
          }[];
        },
        Problem
      >({
        path: `/v1/drivers/ddd/files/${id}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Its drivers are analysed again from the remaining files. By law, files must be kept for a year.
     *
     * @tags tachograph
     * @name DeleteDriversDddFilesById
     * @summary Remove a tachograph file
     * @request DELETE:/v1/drivers/ddd/files/{id}
     * @secure
     */
    deleteDriversDddFilesById: (id: string, params: RequestParams = {}) =>
      this.request<
        {
          id: string;
          message: string;
        },
        Problem
      >({
        path: `/v1/drivers/ddd/files/${id}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags tachograph
     * @name GetDriversDddFilesByIdContent
     * @summary The bytes of a tachograph file, as they came
     * @request GET:/v1/drivers/ddd/files/{id}/content
     * @secure
     */
    getDriversDddFilesByIdContent: (id: string, params: RequestParams = {}) =>
      this.request<Blob, Problem>({
        path: `/v1/drivers/ddd/files/${id}/content`,
        method: "GET",
        secure: true,
        ...params,
      }),

    /**
     * @description The card of each file, with its renewals and replacements, is the driver’s from now on: files that wait go to them, and so will those that come. A driver’s `cardNumber` does the same by itself.
     *
     * @tags tachograph
     * @name PostDriversDddBind
     * @summary Say whose cards the files of unknown drivers are
     * @request POST:/v1/drivers/ddd/bind
     * @secure
     */
    postDriversDddBind: (
      data: {
        /**
         * @minLength 1
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        driverId: string;
        /**
         * @maxItems 500
         * @minItems 1
         */
        fileIds: string[];
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          cards: number;
          driverId: string;
        },
        Problem
      >({
        path: `/v1/drivers/ddd/bind`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description A form with `files[]`, at most 50, which are stored first, or `{"fileIds": […]}`. Activities, days for payroll and infringements of their drivers are computed again from all of their files; the same files again change nothing. With `save=false` (a field of the form, of the query or of the body) nothing is stored: the answer is what each file by itself would give.
     *
     * @tags tachograph
     * @name PostDriversDddFilesAnalizeSave
     * @summary Analyse tachograph files and keep what comes of it
     * @request POST:/v1/drivers/ddd/files/analize_save
     * @secure
     */
    postDriversDddFilesAnalizeSave: (
      query?: {
        save?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          results: {
            /** that the file covers */
            days: number;
            driverId: string | null;
            /** of a unit: all of those who were analysed */
            driverIds: string[];
            duplicate: boolean;
            /** null: of a dry run, which keeps nothing */
            fileId: string | null;
            /** that reach into the days of the file */
            infringements: number;
            name: string | null;
            /** waiting: stored, and to be analysed once somebody says whose card it is */
            outcome: "analysed" | "rehearsed" | "waiting" | "rejected";
            warnings: {
              code: string;
              detail: string;
              where?: string;
            }[];
          }[];
        },
        Problem
      >({
        path: `/v1/drivers/ddd/files/analize_save`,
        method: "POST",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description A form with `files[]`, at most 50, which are stored first, or `{"fileIds": […]}`. Activities, days for payroll and infringements of their drivers are computed again from all of their files; the same files again change nothing. With `save=false` (a field of the form, of the query or of the body) nothing is stored: the answer is what each file by itself would give.
     *
     * @tags tachograph
     * @name PostDriversDddFilesAnalyzeSave
     * @summary Analyse tachograph files and keep what comes of it
     * @request POST:/v1/drivers/ddd/files/analyze_save
     * @secure
     */
    postDriversDddFilesAnalyzeSave: (
      query?: {
        save?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          results: {
            /** that the file covers */
            days: number;
            driverId: string | null;
            /** of a unit: all of those who were analysed */
            driverIds: string[];
            duplicate: boolean;
            /** null: of a dry run, which keeps nothing */
            fileId: string | null;
            /** that reach into the days of the file */
            infringements: number;
            name: string | null;
            /** waiting: stored, and to be analysed once somebody says whose card it is */
            outcome: "analysed" | "rehearsed" | "waiting" | "rejected";
            warnings: {
              code: string;
              detail: string;
              where?: string;
            }[];
          }[];
        },
        Problem
      >({
        path: `/v1/drivers/ddd/files/analyze_save`,
        method: "POST",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Of a driver whose files are analysed, or of one file alone (of a unit’s, the first driver in it). Time without data is unknown, never rest. Days are those of UTC, as tachographs have them, or of the zone `tz`; both ends belong to the interval, and 366 days are the most. `format` (or Accept) chooses JSON or a file; a client that accepts JSON alone gets the file as Base64.
     *
     * @tags tachograph
     * @name PostDriversDddActivitiesFile
     * @summary What a driver did, day by day, with a bar of 24 hours for each
     * @request POST:/v1/drivers/ddd/activities_file
     * @secure
     */
    postDriversDddActivitiesFile: (
      data: {
        /**
         * @minLength 1
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        driverId?: string;
        /**
         * @minLength 1
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        fileId?: string;
        /** by default what Accept asks for, otherwise JSON */
        format?: "json" | "csv" | "xlsx" | "pdf";
        /** YYYY-MM-DD, RFC 3339 or Unix milliseconds; both ends belong to the interval */
        from?: string | number;
        /** @default "it" */
        lang?: "it" | "en";
        /** YYYY-MM-DD, RFC 3339 or Unix milliseconds; both ends belong to the interval */
        to?: string | number;
        /**
         * of the days; UTC by default, as tachographs have them
         * @minLength 0
         * @maxLength 64
         * @pattern ^[^\0]*$
         */
        tz?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        | {
            days: {
              conditions: {
                /** @format date-time */
                from: string;
                kind: "out-of-scope" | "ferry";
                to: string | null;
              }[];
              date: string;
              distanceKm: number;
              fileIds: string[];
              intervals: {
                activity:
                  | "rest"
                  | "availability"
                  | "work"
                  | "driving"
                  | "unknown";
                crew: boolean;
                /** @format date-time */
                from: string;
                slot: "driver" | "co-driver";
                source: "card" | "vu" | "manual" | "none";
                /** @format date-time */
                to: string;
              }[];
              manualEntries: boolean;
              minutes: {
                availability: number;
                driving: number;
                rest: number;
                /** without data; never rest */
                unknown: number;
                work: number;
              };
              minutesInDay: number;
              places: {
                /** @format date-time */
                at: string;
                country: number;
                kind: "begin" | "end" | "border";
                odometerKm: number | null;
              }[];
              vehicles: string[];
            }[];
            driver: {
              cardNumbers: string[];
              id: string | null;
              name: string;
            };
            engineVersion: string | null;
            files: {
              sha256: string;
              fileId: string;
              verdict: string;
            }[];
            from: string;
            rulesVersion: string | null;
            to: string;
            totals: {
              availability: number;
              days: number;
              distanceKm: number;
              driving: number;
              rest: number;
              /** without data; never rest */
              unknown: number;
              work: number;
            };
            zone: string;
          }
        | {
            contentBase64: string;
            fileName: string;
            mime: string;
          },
        Problem
      >({
        path: `/v1/drivers/ddd/activities_file`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description Of a driver whose files are analysed, or of one file alone (of a unit’s, the first driver in it). Time without data is unknown, never rest. Days are those of UTC, as tachographs have them, or of the zone `tz`; both ends belong to the interval, and 366 days are the most. `format` (or Accept) chooses JSON or a file; a client that accepts JSON alone gets the file as Base64.
     *
     * @tags tachograph
     * @name PostDriversDddRestsFile
     * @summary Daily and weekly rests of a driver, and what is still due
     * @request POST:/v1/drivers/ddd/rests_file
     * @secure
     */
    postDriversDddRestsFile: (
      data: {
        /**
         * @minLength 1
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        driverId?: string;
        /**
         * @minLength 1
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        fileId?: string;
        /** by default what Accept asks for, otherwise JSON */
        format?: "json" | "csv" | "xlsx" | "pdf";
        /** YYYY-MM-DD, RFC 3339 or Unix milliseconds; both ends belong to the interval */
        from?: string | number;
        /** @default "it" */
        lang?: "it" | "en";
        /** YYYY-MM-DD, RFC 3339 or Unix milliseconds; both ends belong to the interval */
        to?: string | number;
        /**
         * of the days; UTC by default, as tachographs have them
         * @minLength 0
         * @maxLength 64
         * @pattern ^[^\0]*$
         */
        tz?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        | {
            dailyRests: {
              /** of a split rest */
              firstPart: {
                /** @format date-time */
                from: string;
                /** @format date-time */
                to: string;
              } | null;
              /** @format date-time */
              from: string;
              /** on a ferry or train */
              interruptions: number;
              kind:
                | "regular"
                | "split"
                | "reduced"
                | "crew"
                | "weekly"
                | "insufficient"
                | "open";
              minutes: number;
              minutesInWindow: number;
              requiredMinutes: number;
              /** null: the data end with it */
              to: string | null;
              unknownMinutes: number;
              /** @format date-time */
              windowFrom: string;
              /** @format date-time */
              windowTo: string;
            }[];
            /** of weekly rests that are still to be compensated */
            debtMinutes: number;
            driver: {
              cardNumbers: string[];
              id: string | null;
              name: string;
            };
            engineVersion: string | null;
            files: {
              sha256: string;
              fileId: string;
              verdict: string;
            }[];
            from: string;
            /** reduced daily rests that may still be taken before the next weekly rest */
            reducedLeft: number;
            rulesVersion: string | null;
            to: string;
            weeklyRests: {
              compensation: {
                /** @format date-time */
                dueBy: string;
                minutes: number;
                takenFrom: string | null;
              } | null;
              /** @format date-time */
              from: string;
              kind: "regular" | "reduced" | "insufficient";
              minutes: number;
              to: string | null;
              unknownMinutes: number;
            }[];
            zone: string;
          }
        | {
            contentBase64: string;
            fileName: string;
            mime: string;
          },
        Problem
      >({
        path: `/v1/drivers/ddd/rests_file`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description Days in the zone of the payroll (the settings’, else the tenant’s, else Europe/Rome), of 23 and 25 hours where the clock changes. Ordinary hours go by the week; what is above them is overtime of its last days. Tachographs do not state why somebody was absent: that column is empty.
     *
     * @tags tachograph
     * @name PostDriversDddLulFile
     * @summary A month for the Libro Unico del Lavoro
     * @request POST:/v1/drivers/ddd/lul_file
     * @secure
     */
    postDriversDddLulFile: (
      data: {
        /**
         * all that have data, without it
         * @maxItems 200
         * @minItems 1
         */
        drivers?: string[];
        /** by default what Accept asks for, otherwise JSON */
        format?: "json" | "csv" | "xlsx" | "pdf";
        /** @default "it" */
        lang?: "it" | "en";
        /**
         * `standard`, `internal`, `bsq`, or one of the settings
         * @minLength 0
         * @maxLength 40
         * @pattern ^[^\0]*$
         */
        layout?: string;
        /**
         * YYYY-MM
         * @pattern ^(19|20|21)\d{2}-(0[1-9]|1[0-2])$
         */
        month: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        | {
            items: {
              /** no minute of the month is without data */
              complete: boolean;
              days: LulDay[];
              driver: {
                cardNumbers: string[];
                id: string;
                name: string;
              };
              fourMonths: {
                complete: boolean;
                from: string;
                limitWeeklyMin: number;
                meanWeeklyMin: number | null;
                residualMin: number | null;
                to: string;
              };
              month: string;
              totals: Partial<Record<string, number>>;
              weeks: {
                over60: boolean;
                drivingMin: number;
                from: string;
                isoWeek: string;
                missingMin: number;
                overtimeMin: number;
                to: string;
                workingMin: number;
              }[];
            }[];
            layout: string;
            month: string;
            zone: string;
          }
        | {
            contentBase64: string;
            fileName: string;
            mime: string;
          },
        Problem
      >({
        path: `/v1/drivers/ddd/lul_file`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description Days in the zone of the payroll (the settings’, else the tenant’s, else Europe/Rome), of 23 and 25 hours where the clock changes. Ordinary hours go by the week; what is above them is overtime of its last days. Tachographs do not state why somebody was absent: that column is empty.
     *
     * @tags tachograph
     * @name PostDriversDddLulInternalFile
     * @summary The same month for the undertaking itself: shifts, plates, infringements, costs. Not for third parties
     * @request POST:/v1/drivers/ddd/lul_internal_file
     * @secure
     */
    postDriversDddLulInternalFile: (
      data: {
        /**
         * all that have data, without it
         * @maxItems 200
         * @minItems 1
         */
        drivers?: string[];
        /** by default what Accept asks for, otherwise JSON */
        format?: "json" | "csv" | "xlsx" | "pdf";
        /** @default "it" */
        lang?: "it" | "en";
        /**
         * `standard`, `internal`, `bsq`, or one of the settings
         * @minLength 0
         * @maxLength 40
         * @pattern ^[^\0]*$
         */
        layout?: string;
        /**
         * YYYY-MM
         * @pattern ^(19|20|21)\d{2}-(0[1-9]|1[0-2])$
         */
        month: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        | {
            items: {
              /** no minute of the month is without data */
              complete: boolean;
              days: LulDay[];
              driver: {
                cardNumbers: string[];
                id: string;
                name: string;
              };
              fourMonths: {
                complete: boolean;
                from: string;
                limitWeeklyMin: number;
                meanWeeklyMin: number | null;
                residualMin: number | null;
                to: string;
              };
              month: string;
              totals: Partial<Record<string, number>>;
              weeks: {
                over60: boolean;
                drivingMin: number;
                from: string;
                isoWeek: string;
                missingMin: number;
                overtimeMin: number;
                to: string;
                workingMin: number;
              }[];
            }[];
            layout: string;
            month: string;
            zone: string;
          }
        | {
            contentBase64: string;
            fileName: string;
            mime: string;
          },
        Problem
      >({
        path: `/v1/drivers/ddd/lul_internal_file`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description No layout of the name “bsq” is published: this one is ours until a partner gives theirs. `rows` (and `format=csv`) go through the mapping `bsq` of the settings. The answer has an ETag and changes nothing.
     *
     * @tags tachograph
     * @name GetDriversDddLulBsq
     * @summary A month for a payroll system that fetches it: days, weeks and the balance of four months
     * @request GET:/v1/drivers/ddd/lul_bsq
     * @secure
     */
    getDriversDddLulBsq: (
      query: {
        /**
         * @minLength 0
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        driver_id?: string;
        format?: "json" | "csv";
        /**
         * YYYY-MM
         * @pattern ^(19|20|21)\d{2}-(0[1-9]|1[0-2])$
         */
        month: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: {
            /** no minute of the month is without data */
            complete: boolean;
            days: LulDay[];
            driver: {
              cardNumbers: string[];
              id: string;
              name: string;
            };
            fourMonths: {
              complete: boolean;
              from: string;
              limitWeeklyMin: number;
              meanWeeklyMin: number | null;
              residualMin: number | null;
              to: string;
            };
            month: string;
            rows: Partial<Record<string, any>>[];
            totals: Partial<Record<string, number>>;
            weeks: {
              over60: boolean;
              drivingMin: number;
              from: string;
              isoWeek: string;
              missingMin: number;
              overtimeMin: number;
              to: string;
              workingMin: number;
            }[];
          }[];
          month: string;
          profile: "bsq";
          profileVersion: number;
        },
        Problem
      >({
        path: `/v1/drivers/ddd/lul_bsq`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description That reach into the interval. Totals are of all pages.
     *
     * @tags tachograph
     * @name GetDriversDddInfringements
     * @summary Infringements of Regulation 561/2006 and Directive 2002/15, oldest first
     * @request GET:/v1/drivers/ddd/infringements
     * @secure
     */
    getDriversDddInfringements: (
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * @minLength 0
         * @maxLength 100
         * @pattern ^[^\0]*$
         */
        driver_id?: string;
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD */
        from?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /**
         * @minLength 0
         * @maxLength 10
         * @pattern ^[^\0]*$
         */
        rule?: string;
        severity?: "MI" | "SI" | "VSI" | "MSI";
        status?: "open" | "justified" | "acknowledged";
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD */
        to?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: Infringement[];
          nextCursor: string | null;
          totals: {
            bySeverity: Partial<Record<string, number>>;
            count: number;
            /** of Italian law; a range, never an amount */
            fineEur: {
              max: number;
              min: number;
            };
          };
        },
        Problem
      >({
        path: `/v1/drivers/ddd/infringements`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description It is kept when the files are analysed again.
     *
     * @tags tachograph
     * @name PatchDriversDddInfringementsById
     * @summary Say what is made of an infringement
     * @request PATCH:/v1/drivers/ddd/infringements/{id}
     * @secure
     */
    patchDriversDddInfringementsById: (
      id: string,
      data: {
        note?: string | null;
        status: "open" | "justified" | "acknowledged";
      },
      params: RequestParams = {},
    ) =>
      this.request<Infringement, Problem>({
        path: `/v1/drivers/ddd/infringements/${id}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description A unit is to be downloaded every 90 days. `overdue` is of the vehicles of the page; what has never been downloaded is `never`, as it is not known whether there is a unit.
     *
     * @tags tachograph
     * @name GetVehiclesDddByUserId
     * @summary The newest download of each vehicle of a user, and those that are due
     * @request GET:/v1/vehicles/ddd/{user_id}
     * @secure
     */
    getVehiclesDddByUserId: (
      userId: string,
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /** files downloaded since */
        from?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD */
        to?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: {
            /** below zero: so many days late */
            daysLeft: number | null;
            downloadedAt: string | null;
            dueAt: string | null;
            fileId: string | null;
            generations: string[];
            nextCalibration: string | null;
            periodFrom: string | null;
            periodTo: string | null;
            status: "ok" | "due_soon" | "overdue" | "never";
            targa: string;
            verdict: string | null;
          }[];
          nextCursor: string | null;
          overdue: {
            dueAt: string | null;
            targa: string;
          }[];
        },
        Problem
      >({
        path: `/v1/vehicles/ddd/${userId}`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description A card is to be downloaded every 28 days. `overdue` is of the drivers of the page.
     *
     * @tags tachograph
     * @name GetDriversDddByUserId
     * @summary The newest download of each driver’s card, and those that are due
     * @request GET:/v1/drivers/ddd/{user_id}
     * @secure
     */
    getDriversDddByUserId: (
      userId: string,
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /** files downloaded since */
        from?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD */
        to?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: {
            cardExpiry: string | null;
            cardNumber: string | null;
            /** below zero: so many days late */
            daysLeft: number | null;
            downloadedAt: string | null;
            driverId: string;
            dueAt: string | null;
            fileId: string | null;
            generations: string[];
            lastActivityDay: string | null;
            /** between the first and the last day, that no file covers */
            missingDays: number;
            openInfringements: number;
            periodFrom: string | null;
            periodTo: string | null;
            status: "ok" | "due_soon" | "overdue" | "never";
            verdict: string | null;
          }[];
          nextCursor: string | null;
          overdue: {
            driverId: string;
            dueAt: string | null;
          }[];
        },
        Problem
      >({
        path: `/v1/drivers/ddd/${userId}`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description At most 500 files, and `manifest.csv` with SHA-256, owner, period and verdict of each. What is named by driver, vehicle or interval is chosen together; without any of them it is every file.
     *
     * @tags tachograph
     * @name PostDriversDddDownloadZip
     * @summary Tachograph files as a ZIP, as they came
     * @request POST:/v1/drivers/ddd/download_zip
     * @secure
     */
    postDriversDddDownloadZip: (
      data: {
        /** @maxItems 10000 */
        drivers?: string[];
        /** @maxItems 10000 */
        fileIds?: string[];
        /** files with days since */
        from?: number | string;
        /**
         * standard: C_… and M_… by day and card or plate
         * @default "original"
         */
        naming?: "original" | "standard";
        /** Unix milliseconds or RFC 3339 */
        to?: number | string;
        /**
         * plates
         * @maxItems 10000
         */
        vehicles?: string[];
      },
      params: RequestParams = {},
    ) =>
      this.request<Blob, Problem>({
        path: `/v1/drivers/ddd/download_zip`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        ...params,
      }),

    /**
     * @description At most 500 files, and `manifest.csv` with SHA-256, owner, period and verdict of each. What is named by driver, vehicle or interval is chosen together; without any of them it is every file.
     *
     * @tags tachograph
     * @name PostDriversDddDonwloadFileDddZip
     * @summary Tachograph files as a ZIP, as they came
     * @request POST:/v1/drivers/ddd/donwload_file_ddd_zip
     * @secure
     */
    postDriversDddDonwloadFileDddZip: (
      data: {
        /** @maxItems 10000 */
        drivers?: string[];
        /** @maxItems 10000 */
        fileIds?: string[];
        /** files with days since */
        from?: number | string;
        /**
         * standard: C_… and M_… by day and card or plate
         * @default "original"
         */
        naming?: "original" | "standard";
        /** Unix milliseconds or RFC 3339 */
        to?: number | string;
        /**
         * plates
         * @maxItems 10000
         */
        vehicles?: string[];
      },
      params: RequestParams = {},
    ) =>
      this.request<Blob, Problem>({
        path: `/v1/drivers/ddd/donwload_file_ddd_zip`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags tachograph
     * @name GetDriversDddSettings
     * @summary How tachograph data are analysed and written for payroll
     * @request GET:/v1/drivers/ddd/settings
     * @secure
     */
    getDriversDddSettings: (params: RequestParams = {}) =>
      this.request<TachographTerms, Problem>({
        path: `/v1/drivers/ddd/settings`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Omitted members have their defaults. All drivers are analysed again.
     *
     * @tags tachograph
     * @name PutDriversDddSettings
     * @summary Decide how tachograph data are analysed and written for payroll
     * @request PUT:/v1/drivers/ddd/settings
     * @secure
     */
    putDriversDddSettings: (
      data: TachographTermsInput,
      params: RequestParams = {},
    ) =>
      this.request<TachographTerms, Problem>({
        path: `/v1/drivers/ddd/settings`,
        method: "PUT",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),
  };
  internal = {
    /**
     * @description NDJSON, one event a line in the order of seq, or the records of a spool as they are. Applied once, whatever is repeated.
     *
     * @tags internal
     * @name PostInternalEvents
     * @summary What a gateway reports
     * @request POST:/v1/internal/events
     * @secure
     */
    postInternalEvents: (
      query: {
        /**
         * last seq of a batch that is still on its way: 409, and nothing applied, where that one was not
         * @exclusiveMin 0
         */
        after?: number;
        /**
         * epoch ms by the clock of the gateway
         * @min 0
         */
        clock?: number;
        /**
         * with `after`: up to here the gateway has heard what became of its lines
         * @min 0
         */
        settled?: number;
        /**
         * id made with the spool’s folder; seq never restarts within it
         * @pattern ^[A-Za-z0-9_-]{1,64}$
         */
        spool: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          /** @min 0 */
          lastSeq: number;
          rejected: {
            code: string;
            detail: string;
            /** @exclusiveMin 0 */
            seq: number;
          }[];
        },
        Problem
      >({
        path: `/v1/internal/events`,
        method: "POST",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags internal
     * @name PostInternalPresence
     * @summary Lease of presence: the gateway and its connections are there
     * @request POST:/v1/internal/presence
     * @secure
     */
    postInternalPresence: (
      data: {
        /**
         * epoch ms by the clock of the gateway
         * @min 0
         */
        clock: number;
        connections?: {
          /**
           * the gateway’s own id of the connection: id of its run, a dot, a number
           * @maxLength 64
           */
          conn: string;
          /** @pattern ^[A-Za-z0-9._:-]{1,64}$ */
          imei: string;
          /** @maxLength 32 */
          protocol: string;
          /** @maxLength 64 */
          remote: string;
          /**
           * epoch ms by the clock of the gateway
           * @min 0
           */
          since: number;
          transport: "tcp" | "udp" | "http";
        }[];
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          leaseSeconds: number;
        },
        Problem
      >({
        path: `/v1/internal/presence`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags internal
     * @name GetInternalDownlink
     * @summary Held stream of NDJSON lines to a gateway
     * @request GET:/v1/internal/downlink
     * @secure
     */
    getInternalDownlink: (params: RequestParams = {}) =>
      this.request<string, Problem>({
        path: `/v1/internal/downlink`,
        method: "GET",
        secure: true,
        ...params,
      }),
  };
  positions = {
    /**
     * @description Idempotent: a record that is stored already is counted as a duplicate and changes nothing.
     *
     * @tags positions
     * @name PostPositions
     * @summary A batch of positions
     * @request POST:/v1/positions
     * @secure
     */
    postPositions: (
      data: {
        /** @minItems 1 */
        positions: {
          accuracy?: number;
          altitude?: number;
          attributes: Partial<Record<string, string | number | boolean>>;
          course?: number;
          /** @pattern ^[A-Za-z0-9._:-]{1,64}$ */
          deviceId: string;
          /** @format date-time */
          deviceTime?: string;
          /** @format date-time */
          fixTime?: string;
          /** @pattern ^[A-Za-z0-9_-]{22}$ */
          id?: string;
          /**
           * @min -90
           * @max 90
           */
          latitude?: number;
          /**
           * @min -180
           * @max 180
           */
          longitude?: number;
          network?: {
            cells?: {
              cid: number;
              lac: number;
              mcc: number;
              mnc: number;
              rssi?: number;
            }[];
            wifi?: {
              mac: string;
              rssi?: number;
            }[];
          };
          outdated?: true;
          /** @maxLength 32 */
          protocol?: string;
          /** @format date-time */
          serverTime?: string;
          speed?: number;
          valid: boolean;
        }[];
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          /** stored now */
          accepted: number;
          /** stored before */
          duplicates: number;
          rejected: {
            code: string;
            detail: string;
            index: number;
          }[];
        },
        Problem
      >({
        path: `/v1/positions`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description By the time of the fix, of the device or of the server, the first that there is.
     *
     * @tags positions
     * @name GetDevicesByImeiPositions
     * @summary Stored records of a device, oldest first
     * @request GET:/v1/devices/{imei}/positions
     * @secure
     */
    getDevicesByImeiPositions: (
      imei: string,
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD */
        from?: string;
        /** `named`: elements by their vendor’s names, with scaled values and units, where the protocol names them */
        include?: "named";
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD */
        to?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: {
            accuracy?: number;
            altitude?: number;
            attributes: Partial<Record<string, string | number | boolean>>;
            course?: number;
            /** @format date-time */
            deviceTime?: string;
            /** @format date-time */
            fixTime?: string;
            id: string;
            imei: string;
            /**
             * @min -90
             * @max 90
             */
            latitude?: number;
            /**
             * @min -180
             * @max 180
             */
            longitude?: number;
            named?: Partial<
              Record<
                string,
                {
                  id: number;
                  unit?: string;
                  value: string | number | boolean;
                }
              >
            >;
            network?: {
              cells?: {
                cid: number;
                lac: number;
                mcc: number;
                mnc: number;
                rssi?: number;
              }[];
              wifi?: {
                mac: string;
                rssi?: number;
              }[];
            };
            outdated?: true;
            /** @maxLength 32 */
            protocol?: string;
            /** @format date-time */
            serverTime: string;
            speed?: number;
            valid: boolean;
          }[];
          nextCursor: string | null;
        },
        Problem
      >({
        path: `/v1/devices/${imei}/positions`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  devices = {
    /**
     * No description
     *
     * @tags devices
     * @name GetDevicesExport
     * @summary All devices as CSV
     * @request GET:/v1/devices/export
     * @secure
     */
    getDevicesExport: (params: RequestParams = {}) =>
      this.request<string, Problem>({
        path: `/v1/devices/export`,
        method: "GET",
        secure: true,
        ...params,
      }),

    /**
     * @description The first line names the fields, as in the export: imei, name, options. A line that has its imei in common with what is there changes it; the others make new ones. Each line stands for itself.
     *
     * @tags devices
     * @name PostDevicesImport
     * @summary Create or change devices from CSV
     * @request POST:/v1/devices/import
     * @secure
     */
    postDevicesImport: (data: string, params: RequestParams = {}) =>
      this.request<
        {
          results: {
            id: string | null;
            line: number;
            outcome: "created" | "updated" | "unchanged" | "rejected";
            problem?: {
              code: string;
              detail: string;
            };
          }[];
        },
        Problem
      >({
        path: `/v1/devices/import`,
        method: "POST",
        body: data,
        secure: true,
        type: "text/plain",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags devices
     * @name GetDevices
     * @summary Devices
     * @request GET:/v1/devices
     * @secure
     */
    getDevices: (
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /** unknown: tried to log in and are not registered; without it all that are registered */
        state?: "online" | "offline" | "unknown";
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: Device[];
          nextCursor: string | null;
        },
        Problem
      >({
        path: `/v1/devices`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description A rejected device is admitted when it connects again.
     *
     * @tags devices
     * @name PostDevices
     * @summary Register a device
     * @request POST:/v1/devices
     * @secure
     */
    postDevices: (
      data: {
        /** @pattern ^[A-Za-z0-9._:-]{1,64}$ */
        imei: string;
        name?: string | null;
        /** model, time zone, password, protocol options */
        options?: Partial<Record<string, string | number | boolean>>;
      },
      params: RequestParams = {},
    ) =>
      this.request<Device, Problem>({
        path: `/v1/devices`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags devices
     * @name GetDevicesByImei
     * @summary A device
     * @request GET:/v1/devices/{imei}
     * @secure
     */
    getDevicesByImei: (imei: string, params: RequestParams = {}) =>
      this.request<Device, Problem>({
        path: `/v1/devices/${imei}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags devices
     * @name PatchDevicesByImei
     * @summary Change a device’s name or options
     * @request PATCH:/v1/devices/{imei}
     * @secure
     */
    patchDevicesByImei: (
      imei: string,
      data: {
        name?: string | null;
        /** replaces all of them */
        options?: Partial<Record<string, string | number | boolean>>;
      },
      params: RequestParams = {},
    ) =>
      this.request<Device, Problem>({
        path: `/v1/devices/${imei}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description The device is no longer admitted and its records can no longer be read. Registered again, it starts without records.
     *
     * @tags devices
     * @name DeleteDevicesByImei
     * @summary Remove a device
     * @request DELETE:/v1/devices/{imei}
     * @secure
     */
    deleteDevicesByImei: (imei: string, params: RequestParams = {}) =>
      this.request<
        {
          /** @pattern ^[A-Za-z0-9._:-]{1,64}$ */
          imei: string;
          message: string;
        },
        Problem
      >({
        path: `/v1/devices/${imei}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Kept for RAW_RETENTION_DAYS. Frames are decoded when they are read, by this version.
     *
     * @tags devices
     * @name GetDevicesByImeiTimeline
     * @summary What happened on the wire: frames with their meaning, sessions, answers
     * @request GET:/v1/devices/{imei}/timeline
     * @secure
     */
    getDevicesByImeiTimeline: (
      imei: string,
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD */
        from?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD */
        to?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: {
            /** @format date-time */
            at: string;
            conn: string;
            decoded: {
              /** code of what the codec refuses */
              error?: string;
              messages: Partial<Record<string, any>>[];
              replies: {
                hex: string;
                when: string;
              }[];
            } | null;
            detail: Partial<Record<string, any>> | null;
            gateway: string;
            hex: string | null;
            /** frame, frame-undecoded, session-opened, session-closed, answer, … */
            kind: string;
            protocol: string | null;
            remote: string | null;
            /** the bytes, where they are printable */
            text: string | null;
            transport: string | null;
          }[];
          nextCursor: string | null;
        },
        Problem
      >({
        path: `/v1/devices/${imei}/timeline`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  gprsCommands = {
    /**
     * @description It goes to the device at once where that is online and free, otherwise when it connects. Privileged commands need the scope `commands:privileged`. With an `Idempotency-Key` a repeated request is answered as the first was and queues nothing.
     *
     * @tags gprsCommands
     * @name PostGprsCommands
     * @summary Queue a command for a device
     * @request POST:/v1/gprsCommands/
     * @secure
     */
    postGprsCommands: (
      data: {
        /**
         * @min 1
         * @max 3600
         * @default 60
         */
        ackTimeoutSeconds?: number;
        /** parameters of a command by type */
        attributes?: Partial<Record<string, string | number | boolean>>;
        /**
         * notified when the command has ended
         * @format uri
         * @maxLength 2000
         */
        callbackUrl?: string;
        /** looked at when it is about to be sent, on a position of the last 60 s */
        conditions?: {
          ignition?: boolean;
          /**
           * ring of [longitude, latitude]
           * @maxItems 1000
           * @minItems 4
           */
          insidePolygon?: number[][];
          /**
           * km/h
           * @min 0
           * @max 1000
           */
          maxSpeed?: number;
        };
        /**
         * of a device’s open commands one alone has this key
         * @pattern ^[^\0\p{Surrogate}]{1,200}$
         */
        dedupeKey?: string;
        /** at_least_once, but for privileged commands, which are sent at_most_once */
        delivery?: "at_least_once" | "at_most_once";
        /** @default "text" */
        encoding?: "text" | "hex";
        /**
         * text for the device, at most 1024 bytes; with encoding hex the very bytes
         * @minLength 1
         */
        gprsCommand?: string;
        /** device id: 1 to 64 of A-Z a-z 0-9 . _ : - */
        imei: string;
        /**
         * @min 1
         * @max 100
         * @default 3
         */
        maxAttempts?: number;
        /** Unix milliseconds or RFC 3339 */
        notBefore?: number | string;
        /**
         * 1 goes first
         * @min 1
         * @max 10
         * @default 5
         */
        priority?: number;
        /** 1 s to 30 days, 86400 by default; of privileged commands at most 300 */
        ttlSeconds?: number;
        /**
         * in place of the text: a command of the protocol, such as engineStop
         * @pattern ^[A-Za-z][A-Za-z0-9]{0,63}$
         */
        type?: string;
      },
      query?: {
        /**
         * seconds to wait for the command’s end
         * @min 0
         * @max 60
         * @default 0
         */
        wait?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          commandId: string;
          /** @format date-time */
          expiresAt: string;
          message: string;
          status:
            | "pending"
            | "sending"
            | "sent"
            | "acknowledged"
            | "failed"
            | "expired"
            | "unknown"
            | "cancelled";
        },
        Problem
      >({
        path: `/v1/gprsCommands/`,
        method: "POST",
        query: query,
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags gprsCommands
     * @name GetGprsCommands
     * @summary Commands, newest first
     * @request GET:/v1/gprsCommands/
     * @secure
     */
    getGprsCommands: (
      query?: {
        /** @pattern ^[A-Za-z0-9_]{1,100}$ */
        batchId?: string;
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /** @pattern ^[A-Za-z0-9._:-]{1,64}$ */
        imei?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /** made at or after */
        since?: string;
        /** one or several, comma-separated */
        status?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: Command[];
          nextCursor: string | null;
        },
        Problem
      >({
        path: `/v1/gprsCommands/`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Each device once. What is wrong with one of them is reported beside it and delays no other. A large batch that breaks off goes on where it was when it is repeated with the same `Idempotency-Key`.
     *
     * @tags gprsCommands
     * @name PostGprsCommandsBatch
     * @summary Queue the same command for many devices
     * @request POST:/v1/gprsCommands/batch
     * @secure
     */
    postGprsCommandsBatch: (
      data: {
        /**
         * @min 1
         * @max 3600
         * @default 60
         */
        ackTimeoutSeconds?: number;
        /** parameters of a command by type */
        attributes?: Partial<Record<string, string | number | boolean>>;
        /**
         * notified when the command has ended
         * @format uri
         * @maxLength 2000
         */
        callbackUrl?: string;
        /** looked at when it is about to be sent, on a position of the last 60 s */
        conditions?: {
          ignition?: boolean;
          /**
           * ring of [longitude, latitude]
           * @maxItems 1000
           * @minItems 4
           */
          insidePolygon?: number[][];
          /**
           * km/h
           * @min 0
           * @max 1000
           */
          maxSpeed?: number;
        };
        /**
         * of a device’s open commands one alone has this key
         * @pattern ^[^\0\p{Surrogate}]{1,200}$
         */
        dedupeKey?: string;
        /** at_least_once, but for privileged commands, which are sent at_most_once */
        delivery?: "at_least_once" | "at_most_once";
        /** @default "text" */
        encoding?: "text" | "hex";
        /**
         * text for the device, at most 1024 bytes; with encoding hex the very bytes
         * @minLength 1
         */
        gprsCommand?: string;
        /**
         * id or name: the devices that are in its vehicles now
         * @maxLength 200
         */
        group?: string;
        /**
         * @maxItems 100000
         * @minItems 1
         */
        imeis?: string[];
        /**
         * @min 1
         * @max 100
         * @default 3
         */
        maxAttempts?: number;
        /** Unix milliseconds or RFC 3339 */
        notBefore?: number | string;
        /**
         * 1 goes first
         * @min 1
         * @max 10
         * @default 5
         */
        priority?: number;
        /** 1 s to 30 days, 86400 by default; of privileged commands at most 300 */
        ttlSeconds?: number;
        /**
         * in place of the text: a command of the protocol, such as engineStop
         * @pattern ^[A-Za-z][A-Za-z0-9]{0,63}$
         */
        type?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          batchId: string;
          commands: {
            commandId?: string;
            imei: string;
            problem?: {
              code: string;
              detail: string;
              status: number;
            };
          }[];
        },
        Problem
      >({
        path: `/v1/gprsCommands/batch`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags gprsCommands
     * @name GetGprsCommandsByCommandId
     * @summary A command with its history
     * @request GET:/v1/gprsCommands/{commandId}
     * @secure
     */
    getGprsCommandsByCommandId: (
      commandId: string,
      query?: {
        /**
         * seconds to wait for the command’s end
         * @min 0
         * @max 60
         * @default 0
         */
        wait?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<Command, Problem>({
        path: `/v1/gprsCommands/${commandId}`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags gprsCommands
     * @name DeleteGprsCommandsByCommandId
     * @summary Cancel a command
     * @request DELETE:/v1/gprsCommands/{commandId}
     * @secure
     */
    deleteGprsCommandsByCommandId: (
      commandId: string,
      query?: {
        /** also what is on its way */
        force?: "0" | "1" | "true" | "false";
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          commandId: string;
          message: string;
          status:
            | "pending"
            | "sending"
            | "sent"
            | "acknowledged"
            | "failed"
            | "expired"
            | "unknown"
            | "cancelled";
          wasStatus:
            | "pending"
            | "sending"
            | "sent"
            | "acknowledged"
            | "failed"
            | "expired"
            | "unknown"
            | "cancelled";
        },
        Problem
      >({
        path: `/v1/gprsCommands/${commandId}`,
        method: "DELETE",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags gprsCommands
     * @name GetGprsCommandsPending
     * @summary What is pending for all devices, and why
     * @request GET:/v1/gprsCommands/pending
     * @secure
     */
    getGprsCommandsPending: (
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          explain: {
            commandId: string;
            /** the one reason why it has not been sent: device-offline, waiting-for-answer, behind:<commandId>, condition:<name>, condition:no-fresh-position, not-before, gap, queue-down */
            reason: string;
          }[];
          /** device by device, each in the order of delivery */
          items: Command[];
          nextCursor: string | null;
          /** of those on this page */
          oldestAgeMs: number | null;
        },
        Problem
      >({
        path: `/v1/gprsCommands/pending`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags gprsCommands
     * @name GetGprsCommandsPendingByImei
     * @summary What is pending for a device, and why
     * @request GET:/v1/gprsCommands/pending/{imei}
     * @secure
     */
    getGprsCommandsPendingByImei: (imei: string, params: RequestParams = {}) =>
      this.request<
        {
          explain: {
            commandId: string;
            /** the one reason why it has not been sent: device-offline, waiting-for-answer, behind:<commandId>, condition:<name>, condition:no-fresh-position, not-before, gap, queue-down */
            reason: string;
          }[];
          /** @pattern ^[A-Za-z0-9._:-]{1,64}$ */
          imei: string;
          /** id of the command that is on its way or waits for its answer */
          inFlight: string | null;
          /** in the order of delivery */
          items: Command[];
          oldestAgeMs: number | null;
          online: boolean;
          sessionSince: string | null;
        },
        Problem
      >({
        path: `/v1/gprsCommands/pending/${imei}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags gprsCommands
     * @name DeleteGprsCommandsByTargetReset
     * @summary Flush: cancel all of a device’s commands that have not ended
     * @request DELETE:/v1/gprsCommands/{target}/reset
     * @secure
     */
    deleteGprsCommandsByTargetReset: (
      target: string,
      query?: {
        includeInFlight?: "0" | "1" | "true" | "false";
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          cancelled: number;
          commandIds: string[];
          /** @pattern ^[A-Za-z0-9._:-]{1,64}$ */
          imei: string;
          message: string;
          skippedInFlight: number;
        },
        Problem
      >({
        path: `/v1/gprsCommands/${target}/reset`,
        method: "DELETE",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Their attempts and their time to live start again. With the id of a command that one is put back, whatever `statuses` says.
     *
     * @tags gprsCommands
     * @name PutGprsCommandsByTargetReset
     * @summary Re-arm: put commands that were not acknowledged back to pending
     * @request PUT:/v1/gprsCommands/{target}/reset
     * @secure
     */
    putGprsCommandsByTargetReset: (
      target: string,
      data: {
        /** @maxItems 1000 */
        commandIds?: string[];
        /**
         * also at_most_once commands that may have run
         * @default false
         */
        force?: boolean;
        /**
         * @minItems 1
         * @default ["sent","failed","expired"]
         */
        statuses?: ("sent" | "failed" | "expired" | "unknown")[];
        /** from now; by default as long as it had at first */
        ttlSeconds?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          commandIds: string[];
          /** @pattern ^[A-Za-z0-9._:-]{1,64}$ */
          imei: string;
          message: string;
          requeued: number;
          skipped: {
            commandId: string;
            reason: string;
          }[];
        },
        Problem
      >({
        path: `/v1/gprsCommands/${target}/reset`,
        method: "PUT",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags gprsCommands
     * @name GetGprsCommandsSettings
     * @summary What the tenant has set about commands
     * @request GET:/v1/gprsCommands/settings
     * @secure
     */
    getGprsCommandsSettings: (params: RequestParams = {}) =>
      this.request<
        {
          /**
           * found anywhere in a command’s text, in either case; * stands for anything
           * @maxItems 200
           * @default []
           */
          dangerousCommands: string[];
          /**
           * notified of commands that wait for an offline device
           * @default null
           */
          wakeUpUrl: string | null;
        },
        Problem
      >({
        path: `/v1/gprsCommands/settings`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Replaces all of it. Patterns come on top of what the protocols mark as privileged.
     *
     * @tags gprsCommands
     * @name PutGprsCommandsSettings
     * @summary Set which commands are privileged, and who wakes devices up
     * @request PUT:/v1/gprsCommands/settings
     * @secure
     */
    putGprsCommandsSettings: (
      data: {
        /**
         * found anywhere in a command’s text, in either case; * stands for anything
         * @maxItems 200
         * @default []
         */
        dangerousCommands?: string[];
        /**
         * notified of commands that wait for an offline device
         * @default null
         */
        wakeUpUrl?: string | null;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          /**
           * found anywhere in a command’s text, in either case; * stands for anything
           * @maxItems 200
           * @default []
           */
          dangerousCommands: string[];
          /**
           * notified of commands that wait for an offline device
           * @default null
           */
          wakeUpUrl: string | null;
        },
        Problem
      >({
        path: `/v1/gprsCommands/settings`,
        method: "PUT",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),
  };
  webhooks = {
    /**
     * @description Requests to your URLs carry `webhook-id`, `webhook-timestamp` (Unix seconds) and `webhook-signature`: `v1,` and the base64 of the HMAC-SHA256, by the key behind `whsec_`, over `<id>.<timestamp>.<body>`.
     *
     * @tags webhooks
     * @name GetWebhooksSecret
     * @summary The secret by which call-backs are signed
     * @request GET:/v1/webhooks/secret
     * @secure
     */
    getWebhooksSecret: (params: RequestParams = {}) =>
      this.request<
        {
          /** whsec_ and the key in base64 */
          secret: string;
        },
        Problem
      >({
        path: `/v1/webhooks/secret`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Requests to your URLs carry `webhook-id`, `webhook-timestamp` (Unix seconds) and `webhook-signature`: `v1,` and the base64 of the HMAC-SHA256, by the key behind `whsec_`, over `<id>.<timestamp>.<body>`.
     *
     * @tags webhooks
     * @name PostWebhooksSecret
     * @summary A new secret; the old one signs nothing from now on
     * @request POST:/v1/webhooks/secret
     * @secure
     */
    postWebhooksSecret: (params: RequestParams = {}) =>
      this.request<
        {
          /** whsec_ and the key in base64 */
          secret: string;
        },
        Problem
      >({
        path: `/v1/webhooks/secret`,
        method: "POST",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description POST of `{webhookId, events: [{id, event, data}]}`, signed (see `/v1/webhooks/secret`), in the form that `/v1/events` has. `webhook-id` names the request: sent again it is the same. Tried for 24 hours; 410 ends it.
     *
     * @tags webhooks
     * @name PostWebhooks
     * @summary Create a webhook
     * @request POST:/v1/webhooks
     * @secure
     */
    postWebhooks: (
      data: {
        description?: string | null;
        /**
         * @maxItems 4
         * @minItems 1
         */
        events: ("position" | "command" | "notification" | "session")[];
        /**
         * @format uri
         * @maxLength 2000
         */
        url: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          /** @format date-time */
          createdAt: string;
          description: string | null;
          events: string[];
          id: string;
          url: string;
        },
        Problem
      >({
        path: `/v1/webhooks`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags webhooks
     * @name GetWebhooks
     * @summary List webhooks
     * @request GET:/v1/webhooks
     * @secure
     */
    getWebhooks: (
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: {
            /** @format date-time */
            createdAt: string;
            description: string | null;
            events: string[];
            id: string;
            url: string;
          }[];
          nextCursor: string | null;
        },
        Problem
      >({
        path: `/v1/webhooks`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags webhooks
     * @name GetWebhooksById
     * @summary A webhook and its last deliveries
     * @request GET:/v1/webhooks/{id}
     * @secure
     */
    getWebhooksById: (id: string, params: RequestParams = {}) =>
      this.request<
        {
          /** @format date-time */
          createdAt: string;
          deliveries: {
            attemptedAt: string | null;
            attempts: number;
            /** @format date-time */
            createdAt: string;
            id: string;
            /** what the last attempt came to */
            reason: string | null;
            state: "pending" | "delivered" | "failed";
          }[];
          description: string | null;
          events: string[];
          id: string;
          url: string;
        },
        Problem
      >({
        path: `/v1/webhooks/${id}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags webhooks
     * @name DeleteWebhooksById
     * @summary Delete a webhook
     * @request DELETE:/v1/webhooks/{id}
     * @secure
     */
    deleteWebhooksById: (id: string, params: RequestParams = {}) =>
      this.request<
        {
          id: string;
          message: string;
        },
        Problem
      >({
        path: `/v1/webhooks/${id}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  notifications = {
    /**
     * @description Sent again as it was it changes nothing. `unauthorized_use` fires on movement outside of `auth_hours`, the others inside of them, or always where there are none. If-Match: only in this version.
     *
     * @tags notifications
     * @name PutByVersionNotifications
     * @summary Create a notification rule, or change the one of this id
     * @request PUT:/v1/{version}/notifications
     * @secure
     */
    putByVersionNotifications: (
      version: string,
      data: {
        notification_data: {
          /** unauthorized_use fires outside of them, all others inside; a day that is missing has none */
          auth_hours?: {
            friday?: {
              /** @default false */
              all_day?: boolean;
              /**
               * not included; less than `min`: on the day after
               * @min 0
               * @max 24
               * @default 24
               */
              max?: number;
              /**
               * hours as a decimal: 8.5 is 08:30
               * @min 0
               * @max 24
               * @default 0
               */
              min?: number;
            };
            monday?: {
              /** @default false */
              all_day?: boolean;
              /**
               * not included; less than `min`: on the day after
               * @min 0
               * @max 24
               * @default 24
               */
              max?: number;
              /**
               * hours as a decimal: 8.5 is 08:30
               * @min 0
               * @max 24
               * @default 0
               */
              min?: number;
            };
            saturday?: {
              /** @default false */
              all_day?: boolean;
              /**
               * not included; less than `min`: on the day after
               * @min 0
               * @max 24
               * @default 24
               */
              max?: number;
              /**
               * hours as a decimal: 8.5 is 08:30
               * @min 0
               * @max 24
               * @default 0
               */
              min?: number;
            };
            sunday?: {
              /** @default false */
              all_day?: boolean;
              /**
               * not included; less than `min`: on the day after
               * @min 0
               * @max 24
               * @default 24
               */
              max?: number;
              /**
               * hours as a decimal: 8.5 is 08:30
               * @min 0
               * @max 24
               * @default 0
               */
              min?: number;
            };
            thursday?: {
              /** @default false */
              all_day?: boolean;
              /**
               * not included; less than `min`: on the day after
               * @min 0
               * @max 24
               * @default 24
               */
              max?: number;
              /**
               * hours as a decimal: 8.5 is 08:30
               * @min 0
               * @max 24
               * @default 0
               */
              min?: number;
            };
            tuesday?: {
              /** @default false */
              all_day?: boolean;
              /**
               * not included; less than `min`: on the day after
               * @min 0
               * @max 24
               * @default 24
               */
              max?: number;
              /**
               * hours as a decimal: 8.5 is 08:30
               * @min 0
               * @max 24
               * @default 0
               */
              min?: number;
            };
            wednesday?: {
              /** @default false */
              all_day?: boolean;
              /**
               * not included; less than `min`: on the day after
               * @min 0
               * @max 24
               * @default 24
               */
              max?: number;
              /**
               * hours as a decimal: 8.5 is 08:30
               * @min 0
               * @max 24
               * @default 0
               */
              min?: number;
            };
          };
          /**
           * @maxItems 5
           * @default ["app"]
           */
          channels?: ("app" | "email" | "webhook" | "web_push" | "fcm")[];
          /**
           * @min 0
           * @max 604800
           * @default 0
           */
          cooldownSeconds?: number;
          /**
           * @minLength 0
           * @maxLength 1000
           * @default ""
           * @pattern ^[^\0]*$
           */
          description?: string;
          /**
           * names the rule: sent again it changes it
           * @pattern ^[A-Za-z0-9_-]{1,64}$
           */
          id?: string;
          params?: {
            area?:
              | {
                  /**
                   * @maxItems 1000
                   * @minItems 4
                   */
                  coordinates: number[][];
                  type: "polygon";
                }
              | {
                  /**
                   * longitude, latitude
                   * @maxItems 2
                   * @minItems 2
                   */
                  center: number[];
                  /**
                   * @exclusiveMin 0
                   * @max 1000000
                   */
                  radiusM: number;
                  type: "circle";
                };
            /**
             * how long the condition must be over before the rule notifies again
             * @min 0
             * @max 86400
             */
            clearSeconds?: number;
            /**
             * maintenance: epoch ms
             * @exclusiveMin 0
             */
            dueAt?: number;
            /**
             * how long it must last
             * @min 0
             * @max 86400
             */
            dwellSeconds?: number;
            /**
             * maintenance
             * @exclusiveMin 0
             * @max 1000000
             */
            engineHours?: number;
            /**
             * ids or names
             * @maxItems 100
             * @minItems 1
             */
            geofences?: string[];
            /**
             * @min 0
             * @max 100
             */
            hysteresisKmh?: number;
            /**
             * m beyond the edge of a geofence that still are no exit
             * @min 0
             * @max 10000
             */
            hysteresisM?: number;
            /**
             * overspeed
             * @exclusiveMin 0
             * @max 500
             */
            limitKmh?: number;
            /**
             * fuel_drain, fuel_refill: at least so much
             * @exclusiveMin 0
             * @max 10000
             */
            litres?: number;
            /**
             * another name of `limitKmh`
             * @exclusiveMin 0
             * @max 500
             */
            maxSpeed?: number;
            /**
             * low_battery
             * @min 0
             * @max 100
             */
            minPercent?: number;
            /**
             * @min 0
             * @max 300
             */
            minSpeedKmh?: number;
            /**
             * power_cut: external supply below it
             * @min 0
             * @max 100
             */
            minVolts?: number;
            /**
             * maintenance
             * @exclusiveMin 0
             * @max 10000000
             */
            odometerKm?: number;
            /**
             * device_offline: silence
             * @min 60
             * @max 2592000
             */
            offlineSeconds?: number;
            /**
             * likewise, of a device that reports no litres
             * @exclusiveMin 0
             * @max 100
             */
            percent?: number;
            /**
             * longitude, latitude; the first pair repeated as the last
             * @maxItems 1000
             * @minItems 4
             */
            polygon?: number[][];
            /** command_result */
            states?: (
              | "acknowledged"
              | "failed"
              | "expired"
              | "unknown"
              | "cancelled"
            )[];
            /** overspeed: the limit that the device reports, where it does */
            useRoadLimit?: boolean;
            /**
             * where the channel `webhook` goes
             * @format uri
             * @maxLength 2000
             */
            webhookUrl?: string;
            /**
             * within so long
             * @min 0
             * @max 86400
             */
            windowSeconds?: number;
          };
          /** @default "normal" */
          priority?: "low" | "normal" | "high" | "critical";
          /**
           * of auth_hours; the tenant’s where it is missing
           * @minLength 1
           * @maxLength 64
           * @pattern ^[^\0]*$
           */
          timezone?: string;
          type:
            | "unauthorized_use"
            | "overspeed"
            | "geofence_enter"
            | "geofence_exit"
            | "ignition_on"
            | "ignition_off"
            | "tow"
            | "sos"
            | "power_cut"
            | "low_battery"
            | "fuel_drain"
            | "fuel_refill"
            | "device_offline"
            | "command_result"
            | "maintenance"
            | "ddd_due"
            | "infringement";
          /**
           * ids or user names
           * @maxItems 100
           * @minItems 1
           */
          users: string[];
          /**
           * plates, ids of vehicles, or of devices in none
           * @maxItems 5000
           * @minItems 1
           */
          vehicles: string[];
        };
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          created: boolean;
          message: string;
          notificationId: string;
          notification_data: NotificationRule;
        },
        Problem
      >({
        path: `/v1/${version}/notifications`,
        method: "PUT",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags notifications
     * @name GetNotificationsHistoryByUserIdByFrom
     * @summary History of a user’s notifications (under development)
     * @request GET:/v1/notifications/history/{user_id}/{from}
     * @secure
     */
    getNotificationsHistoryByUserIdByFrom: (
      userId: string,
      from: string,
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        priority?: "low" | "normal" | "high" | "critical";
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD */
        to?: string;
        /**
         * @minLength 0
         * @maxLength 50
         * @pattern ^[^\0]*$
         */
        type?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          from: string;
          items: Notification[];
          nextCursor: string | null;
          stability: "under-development";
          to: string;
          userId: string;
        },
        Problem
      >({
        path: `/v1/notifications/history/${userId}/${from}`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags notifications
     * @name GetNotificationsByUserIdByData
     * @summary A user’s notifications of a day
     * @request GET:/v1/notifications/{user_id}/{data}
     * @secure
     */
    getNotificationsByUserIdByData: (
      userId: string,
      data: string,
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /**
         * a name of the IANA data base: Europe/Rome
         * @minLength 1
         * @maxLength 64
         * @pattern ^[^\0]*$
         */
        tz?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          date: string;
          items: Notification[];
          nextCursor: string | null;
          timezone: string;
          /** of this day */
          unread: number;
          userId: string;
        },
        Problem
      >({
        path: `/v1/notifications/${userId}/${data}`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description `markRead`: those that are listed count as read from then on.
     *
     * @tags notifications
     * @name GetNotificationsById
     * @summary A user’s notifications and rules
     * @request GET:/v1/notifications/{id}
     * @secure
     */
    getNotificationsById: (
      id: string,
      query?: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        markRead?: "true" | "false";
        /**
         * @minLength 0
         * @maxLength 50
         * @pattern ^[^\0]*$
         */
        type?: string;
        unread?: "true" | "false";
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          badge: number;
          items: Notification[];
          nextCursor: string | null;
          rules: NotificationRule[];
          unread: number;
          userId: string;
        },
        Problem
      >({
        path: `/v1/notifications/${id}`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags notifications
     * @name DeleteNotificationsById
     * @summary Delete a rule or a message
     * @request DELETE:/v1/notifications/{id}
     * @secure
     */
    deleteNotificationsById: (
      id: string,
      query?: {
        /** not needed: ids say it (`nrl_`, `ntf_`) */
        kind?: "rule" | "message";
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          deleted: number;
          ids: string[];
          message: string;
        },
        Problem
      >({
        path: `/v1/notifications/${id}`,
        method: "DELETE",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description The badge counts new messages from now on; unread messages remain unread.
     *
     * @tags notifications
     * @name PostByVersionNotificationsBadgeByUserId
     * @summary Reset a user’s badge
     * @request POST:/v1/{version}/notifications/badge/{user_id}
     * @secure
     */
    postByVersionNotificationsBadgeByUserId: (
      version: string,
      userId: string,
      params: RequestParams = {},
    ) =>
      this.request<
        {
          badge: 0;
          previous: number;
          resetAt: string;
          userId: string;
        },
        Problem
      >({
        path: `/v1/${version}/notifications/badge/${userId}`,
        method: "POST",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags notifications
     * @name DeleteNotifications
     * @summary Delete rules and messages
     * @request DELETE:/v1/notifications
     * @secure
     */
    deleteNotifications: (
      query: {
        /** @maxLength 50000 */
        ids: string;
        /** not needed: ids say it (`nrl_`, `ntf_`) */
        kind?: "rule" | "message";
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          deleted: number;
          ids: string[];
          message: string;
        },
        Problem
      >({
        path: `/v1/notifications`,
        method: "DELETE",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  live = {
    /**
     * @description Events `position`, `session` (a device goes online or offline), `command` (a change of state) and `notification`, of what the credential may see. After `Last-Event-ID` (or the query `lastEventId`) nothing is lost or sent twice while the server keeps what has happened; where it does not, an event `gap` comes first.
     *
     * @tags live
     * @name GetEvents
     * @summary What happens, as it happens (server-sent events)
     * @request GET:/v1/events
     * @secure
     */
    getEvents: (
      query?: {
        /** @maxLength 20000 */
        imeis?: string;
        /** @maxLength 120 */
        lastEventId?: string;
        /** @maxLength 20000 */
        types?: string;
        /**
         * plates
         * @maxLength 20000
         */
        vehicles?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<string, Problem>({
        path: `/v1/events`,
        method: "GET",
        query: query,
        secure: true,
        ...params,
      }),
  };
  movement = {
    /**
     * @description Valid fixes alone, by the time of the fix. Between two fixes the vehicle goes straight and evenly, so that crossings lie between them; over a gap longer than `maxGapMs` nothing is interpolated: it ends a visit, and one that begins behind it is `uncertain` too. The boundary is inside. An edge or a path of more than 180° of longitude is taken across the antimeridian. `dwellMs` of a visit that has not ended runs to the last fix; a visit that had already begun counts from the start of the interval. At most 31 days.
     *
     * @tags movement
     * @name PutVehiclesByTargaCheckpoi
     * @summary Visits of a vehicle to a polygon
     * @request PUT:/v1/vehicles/{targa}/checkpoi
     * @secure
     */
    putVehiclesByTargaCheckpoi: (
      targa: string,
      data: {
        /** Unix milliseconds or RFC 3339 */
        from: number | string;
        /**
         * closed ring: the first pair is repeated as the last
         * @maxItems 1000
         * @minItems 4
         */
        polygon: number[][];
        /** Unix milliseconds or RFC 3339 */
        to: number | string;
      },
      query?: {
        /** also the path, simplified to at most 10,000 points */
        includeTrack?: string;
        /**
         * nothing is interpolated over a longer gap
         * @min 1
         * @default 600000
         */
        maxGapMs?: number;
        /**
         * shorter visits are left out
         * @min 0
         * @default 0
         */
        minDwellMs?: number;
        /**
         * how pairs are read; GeoJSON has longitude first
         * @default "lonlat"
         */
        order?: "lonlat" | "latlon";
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          evaluatedPoints: number;
          firstEntry: string | null;
          /** @format date-time */
          from: string;
          gaps: {
            /** @format date-time */
            from: string;
            /** @format date-time */
            to: string;
          }[];
          imei: string;
          /** it was inside at some time */
          inside: boolean;
          lastExit: string | null;
          polygon: {
            areaM2: number;
            order: "lonlat" | "latlon";
            /** pairs of the ring */
            vertices: number;
          };
          stillInside: boolean;
          targa: string;
          /** @format date-time */
          to: string;
          totalDwellMs: number;
          /** in the order of the polygon’s pairs */
          track?: number[][];
          visitCount: number;
          visits: {
            /** between two fixes, both outside */
            crossedOnly: boolean;
            dwellMs: number;
            entry: {
              /** @format date-time */
              at: string;
              /** it was inside when the interval began */
              beforeInterval: boolean;
              /** worked out between two fixes */
              interpolated: boolean;
              latitude: number;
              longitude: number;
            };
            /** null: still inside at the last fix */
            exit: {
              /** @format date-time */
              at: string;
              /** worked out between two fixes */
              interpolated: boolean;
              latitude: number;
              longitude: number;
            } | null;
            maxGapMs: number;
            /** fixes inside */
            points: number;
            /** a gap hides the entry or the exit */
            uncertain: boolean;
          }[];
          warnings: (
            | "coordinate-order-suspect"
            | "visits-truncated"
            | "gaps-truncated"
          )[];
        },
        Problem
      >({
        path: `/v1/vehicles/${targa}/checkpoi`,
        method: "PUT",
        query: query,
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description Valid fixes by the time of the fix. `polyline` is the whole path, `segments` its parts between gaps longer than `maxGapMs`. At most 31 days; the answer comes as it is read.
     *
     * @tags movement
     * @name PutVehiclesByTargaPolyline
     * @summary The path of a vehicle as an encoded polyline
     * @request PUT:/v1/vehicles/{targa}/polyline
     * @secure
     */
    putVehiclesByTargaPolyline: (
      targa: string,
      data: {
        /** Unix milliseconds or RFC 3339 */
        from: number | string;
        /**
         * to roads: no map is part of the product, so true is refused with matching-unavailable
         * @default false
         */
        matched?: boolean;
        /**
         * a longer gap begins another segment
         * @min 1
         * @default 600000
         */
        maxGapMs?: number;
        /**
         * digits behind the point: 5 or 6
         * @default 5
         */
        precision?: number;
        /**
         * leaves out what is off by less, m
         * @min 0
         * @max 100000
         * @default 0
         */
        simplifyM?: number;
        /** Unix milliseconds or RFC 3339 */
        to: number | string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          /** west, south, east, north; west is greater across the antimeridian */
          bbox: number[] | null;
          /** along the segments, gaps not counted */
          distanceM: number;
          /** @format date-time */
          from: string;
          /** fixes, before anything was left out */
          points: number;
          /** Encoded Polyline Algorithm Format */
          polyline: string;
          precision: 5 | 6;
          /** between gaps */
          segments: {
            /** @format date-time */
            from: string;
            polyline: string;
            /** @format date-time */
            to: string;
          }[];
          targa: string;
          /** @format date-time */
          to: string;
          /** there are more fixes than are shown */
          truncated: boolean;
        },
        Problem
      >({
        path: `/v1/vehicles/${targa}/polyline`,
        method: "PUT",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description Valid fixes by the time of the fix. `polyline` is the whole path, `segments` its parts between gaps longer than `maxGapMs`. At most 31 days; the answer comes as it is read.
     *
     * @tags movement
     * @name GetVehiclesByTargaPolyline
     * @summary The path of a vehicle as an encoded polyline
     * @request GET:/v1/vehicles/{targa}/polyline
     * @secure
     */
    getVehiclesByTargaPolyline: (
      targa: string,
      query?: {
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD, a day of `tz` */
        from?: string;
        /** to roads: no map is part of the product, so true is refused with matching-unavailable */
        matched?: string;
        /**
         * a longer gap begins another segment
         * @min 1
         * @default 600000
         */
        maxGapMs?: number;
        /**
         * digits behind the point: 5 or 6
         * @default 5
         */
        precision?: number;
        /**
         * leaves out what is off by less, m
         * @min 0
         * @max 100000
         * @default 0
         */
        simplifyM?: number;
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD, a day of `tz` */
        to?: string;
        /**
         * time zone; that of the tenant without it
         * @minLength 1
         * @maxLength 64
         */
        tz?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          /** west, south, east, north; west is greater across the antimeridian */
          bbox: number[] | null;
          /** along the segments, gaps not counted */
          distanceM: number;
          /** @format date-time */
          from: string;
          /** fixes, before anything was left out */
          points: number;
          /** Encoded Polyline Algorithm Format */
          polyline: string;
          precision: 5 | 6;
          /** between gaps */
          segments: {
            /** @format date-time */
            from: string;
            polyline: string;
            /** @format date-time */
            to: string;
          }[];
          targa: string;
          /** @format date-time */
          to: string;
          /** there are more fixes than are shown */
          truncated: boolean;
        },
        Problem
      >({
        path: `/v1/vehicles/${targa}/polyline`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Routes last from ignition on to off where the device reports it, otherwise from leaving a place to resting at one. A tow or a ferry with the ignition off is not a route; a gap ends one, unless the vehicle drove on through a tunnel. Routes are cut at the ends of the interval. `avgSpeed` is that while moving. At most 50 vehicles and 7 days.
     *
     * @tags movement
     * @name PutVehiclesRoutes
     * @summary Routes of vehicles
     * @request PUT:/v1/vehicles/routes
     * @secure
     */
    putVehiclesRoutes: (
      data: {
        /** Unix milliseconds or RFC 3339 */
        from: number | string;
        /**
         * a shorter stop ends no route
         * @min 1
         * @max 86400
         * @default 300
         */
        minStopS?: number;
        /** Unix milliseconds or RFC 3339 */
        to: number | string;
        /**
         * @maxItems 50
         * @minItems 1
         */
        vehicles: string[];
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: {
            routes: Route[];
            targa: string;
          }[];
        },
        Problem
      >({
        path: `/v1/vehicles/routes`,
        method: "PUT",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description Routes last from ignition on to off where the device reports it, otherwise from leaving a place to resting at one. A tow or a ferry with the ignition off is not a route; a gap ends one, unless the vehicle drove on through a tunnel. Routes are cut at the ends of the interval. `avgSpeed` is that while moving. Vehicles as they are asked for, routes of each oldest first. At most 31 days.
     *
     * @tags movement
     * @name GetVehiclesRoutesV2
     * @summary Routes of vehicles, page by page
     * @request GET:/v1/vehicles/routesV2
     * @secure
     */
    getVehiclesRoutesV2: (
      query: {
        /**
         * nextCursor of the page before
         * @maxLength 1000
         */
        cursor?: string;
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD, a day of `tz` */
        from: string;
        /**
         * comma-separated: polyline, address, fuel
         * @default ""
         */
        include?: string;
        /**
         * @min 1
         * @max 500
         * @default 100
         */
        limit?: number;
        /**
         * a shorter stop ends no route
         * @min 1
         * @max 86400
         * @default 300
         */
        minStopS?: number;
        /** may be repeated */
        targa: string | string[];
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD, a day of `tz` */
        to: string;
        /**
         * time zone; that of the tenant without it
         * @minLength 1
         * @maxLength 64
         */
        tz?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: Route[];
          nextCursor: string | null;
          /** of all pages */
          totals: {
            distanceM: number;
            /** moving */
            drivingS: number;
            /** null where no route knows */
            fuelUsedL: number | null;
            idleS: number;
            maxSpeed: number;
            routes: number;
            /** between two routes of a vehicle */
            stops: number;
          };
        },
        Problem
      >({
        path: `/v1/vehicles/routesV2`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Routes last from ignition on to off where the device reports it, otherwise from leaving a place to resting at one. A tow or a ferry with the ignition off is not a route; a gap ends one, unless the vehicle drove on through a tunnel. Routes are cut at the ends of the interval. `avgSpeed` is that while moving. A route belongs to the day that it begins in. At most 200 vehicles, 92 days; of the routes, 5000 are listed.
     *
     * @tags movement
     * @name PostRoutesGrouped
     * @summary Routes of vehicles, added up
     * @request POST:/v1/routesGrouped
     * @secure
     */
    postRoutesGrouped: (
      data: {
        /** Unix milliseconds or RFC 3339 */
        from: number | string;
        /**
         * @minLength 1
         * @maxLength 200
         */
        group?: string;
        /** @default "day" */
        groupBy?: "day" | "week" | "month" | "vehicle" | "driver";
        /** @default false */
        includeRoutes?: boolean;
        /**
         * a shorter stop ends no route
         * @min 1
         * @max 86400
         * @default 300
         */
        minStopS?: number;
        /** Unix milliseconds or RFC 3339 */
        to: number | string;
        /**
         * days, weeks and months are those of this time zone; of the tenant’s without it
         * @minLength 1
         * @maxLength 64
         */
        tz?: string;
        /**
         * @maxItems 200
         * @minItems 1
         */
        vehicles?: string[];
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          groups: {
            distanceM: number;
            driverId?: string | null;
            /** moving */
            drivingS: number;
            /** null where no route knows */
            fuelUsedL: number | null;
            idleS: number;
            items?: Route[];
            /** 2026-05-01, 2026-W18, 2026-05, a plate, or a driver’s id (empty: none) */
            key: string;
            maxSpeed: number;
            routes: number;
            /** between two routes of a vehicle */
            stops: number;
            targa?: string;
          }[];
          totals: {
            distanceM: number;
            /** moving */
            drivingS: number;
            /** null where no route knows */
            fuelUsedL: number | null;
            idleS: number;
            maxSpeed: number;
            routes: number;
            /** between two routes of a vehicle */
            stops: number;
          };
          /** more routes exist than are listed; the totals include all of them */
          truncated: boolean;
        },
        Problem
      >({
        path: `/v1/routesGrouped`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description Valid fixes by the time of the fix. At most 31 days; more than `maxPoints` are thinned out evenly.
     *
     * @tags movement
     * @name PutVehiclesPercorso
     * @summary The path of a vehicle: its points, in order
     * @request PUT:/v1/vehicles/percorso
     * @secure
     */
    putVehiclesPercorso: (
      data: {
        /**
         * all of them without it
         * @minItems 1
         */
        fields?: (
          | "fixTime"
          | "latitude"
          | "longitude"
          | "speed"
          | "course"
          | "ignition"
        )[];
        /** Unix milliseconds or RFC 3339 */
        from: number | string;
        /**
         * device id, in place of the plate
         * @minLength 1
         * @maxLength 64
         */
        imei?: string;
        /** @default [] */
        include?: ("stops" | "events")[];
        /**
         * @min 2
         * @max 50000
         * @default 10000
         */
        maxPoints?: number;
        /**
         * @min 1
         * @max 86400
         * @default 300
         */
        minStopS?: number;
        /**
         * plate; case, spaces and hyphens do not count
         * @minLength 1
         * @maxLength 64
         */
        targa?: string;
        /** Unix milliseconds or RFC 3339 */
        to: number | string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          /** there are more than maxPoints: what is shown is spread evenly over them */
          downsampled: boolean;
          events?: {
            /** @format date-time */
            at: string;
            latitude: number | null;
            longitude: number | null;
            type: string;
          }[];
          /** @format date-time */
          from: string;
          /** the interval is always answered whole */
          nextCursor: null;
          points: {
            course?: number | null;
            /** @format date-time */
            fixTime?: string;
            ignition?: boolean | null;
            latitude?: number;
            longitude?: number;
            speed?: number | null;
          }[];
          stops: {
            durationS: number;
            /** @format date-time */
            from: string;
            latitude: number;
            longitude: number;
            /** @format date-time */
            to: string;
          }[];
          targa: string;
          /** @format date-time */
          to: string;
        },
        Problem
      >({
        path: `/v1/vehicles/percorso`,
        method: "PUT",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description GPX, KML, GeoJSON or CSV, written as it is read; gaps of more than 15 minutes part it. At most 31 days.
     *
     * @tags movement
     * @name PostVehiclesDownloadRoute
     * @summary The path of a vehicle as a file
     * @request POST:/v1/vehicles/download_route
     * @secure
     */
    postVehiclesDownloadRoute: (
      data: {
        format: "gpx" | "kml" | "geojson" | "csv";
        /** Unix milliseconds or RFC 3339 */
        from: number | string;
        /**
         * as the route was found with
         * @min 1
         * @max 86400
         * @default 300
         */
        minStopS?: number;
        /**
         * of a route in the interval: that route alone
         * @maxLength 64
         */
        routeId?: string;
        /**
         * plate; case, spaces and hyphens do not count
         * @minLength 1
         * @maxLength 64
         */
        targa: string;
        /** Unix milliseconds or RFC 3339 */
        to: number | string;
      },
      params: RequestParams = {},
    ) =>
      this.request<string, Problem>({
        path: `/v1/vehicles/download_route`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description Readings are smoothed over five. A change of 8 l, or of 5 % of a larger tank, within ten minutes or a silence of the device is a refuel or a drain; what is missing after 5 km was driven. At most 31 days.
     *
     * @tags movement
     * @name PostVehiclesGetFuelLevels
     * @summary Fuel in the tank, refuels and drains
     * @request POST:/v1/vehicles/get_fuel_levels
     * @secure
     */
    postVehiclesGetFuelLevels: (
      data: {
        /** Unix milliseconds or RFC 3339 */
        from: number | string;
        /**
         * coarser where there were over 10,000 points
         * @min 1
         * @max 86400
         * @default 300
         */
        resolutionS?: number;
        /** Unix milliseconds or RFC 3339 */
        to: number | string;
        /**
         * @maxItems 50
         * @minItems 1
         */
        vehicles: string[];
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          items: {
            /** by the table of the tank */
            calibrated: boolean;
            drains: {
              /** @format date-time */
              at: string;
              latitude: number | null;
              litres: number | null;
              longitude: number | null;
              percent: number | null;
            }[];
            refuels: {
              /** @format date-time */
              at: string;
              latitude: number | null;
              litres: number | null;
              longitude: number | null;
              percent: number | null;
            }[];
            /** time, litres, per cent; null where it is not known what the tank holds */
            series: (string | number | null)[][];
            targa: string;
            unit: "l";
          }[];
        },
        Problem
      >({
        path: `/v1/vehicles/get_fuel_levels`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description Points are taken off 100 on 100 km: 4 a harsh braking, 3 a cornering, 2 an acceleration (as devices alarm them), 2 a minute over 130 km/h; of the tachograph’s events 10 for driving without a card or a breach of security, 3 for an interruption of power or of motion data, 2 an overspeeding, 1 a conflict of cards. Without a device the distance is the odometer’s. At most 31 days.
     *
     * @tags movement
     * @name GetVehiclesSafetyByUserId
     * @summary How the vehicles of a user are driven
     * @request GET:/v1/vehicles/safety/{user_id}
     * @secure
     */
    getVehiclesSafetyByUserId: (
      userId: string,
      query: {
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD, a day of `tz` */
        from: string;
        /** Unix milliseconds, RFC 3339 or YYYY-MM-DD, a day of `tz` */
        to: string;
        /**
         * time zone; that of the tenant without it
         * @minLength 1
         * @maxLength 64
         */
        tz?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<
        {
          fleetScore: number | null;
          /** @format date-time */
          from: string;
          items: {
            /** null where nothing was driven */
            score0to100: number | null;
            distanceM: number;
            events: {
              /** @format date-time */
              at: string;
              latitude: number | null;
              longitude: number | null;
              type: string;
              value: number | null;
            }[];
            harshAcceleration: number;
            harshBraking: number;
            harshCornering: number;
            idlingS: number;
            /** driven between 22 and 6 o’clock in the zone of the tenant, or `tz` */
            nightS: number;
            overspeedS: number;
            /** events in downloads of the vehicle’s unit */
            tachograph: {
              cardConflict: number;
              drivingWithoutCard: number;
              motionData: number;
              overspeed: number;
              powerInterruption: number;
              security: number;
            };
            targa: string;
          }[];
          /** @format date-time */
          to: string;
          userId: string;
        },
        Problem
      >({
        path: `/v1/vehicles/safety/${userId}`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
}
