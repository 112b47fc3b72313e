// biome-ignore-all format: written by `npm run openapi` from docs/openapi.json
// biome-ignore-all lint: as above

export const ROLES = ["admin","manager","dispatcher","viewer","driver"] as const;

export const VEHICLE_STATUSES = ["moving","idle","parked","offline","unknown"] as const;

export const DEVICE_STATES = ["online","offline","unknown"] as const;

export const COMMAND_STATUSES = ["pending","sending","sent","acknowledged","failed","expired","unknown","cancelled"] as const;

export const RULE_TYPES = ["unauthorized_use","overspeed","geofence_enter","geofence_exit","geofence_speed","geofence_inside","geofence_outside","ignition_on","ignition_off","tow","idling","long_stop","sos","accident","jamming","tampering","harsh_braking","harsh_acceleration","harsh_cornering","device_alarm","power_cut","unplugged","low_battery","temperature","door","fuel_drain","fuel_refill","device_offline","command_result","session_taken_over","login_refused","maintenance","maintenance_due","ddd_due","infringement","driver_changed","driver_unknown","driver_missing","sensor"] as const;

export const CHANNELS = ["app","email","webhook","web_push","fcm"] as const;

export const PRIORITIES = ["low","normal","high","critical"] as const;

export const REPORT_KINDS = ["trips","fuel","infringements","download-deadlines"] as const;

export const REPORT_STATES = ["waiting","sending","sent","failed"] as const;

export const SHARE_PRECISIONS_M = [0,100,1000,5000,10000] as const;

export const SEVERITIES = ["MI","SI","VSI","MSI"] as const;

export const INFRINGEMENT_STATUSES = ["open","justified","acknowledged"] as const;

export const LETTER_STATES = ["issued","signed","refused"] as const;

export const NOTICE_KINDS = ["missing-data","undeclared-activity","driving-without-card","place-missing","border-missing","late-download","rest-in-vehicle","return-home","infringement-corrected"] as const;

export const ATTESTED_ACTIVITIES = ["sick-leave","annual-leave","leave-or-rest","exempt-vehicle","other-work","available"] as const;

export const CORRECTION_KINDS = ["selector","manual-entry","unknown"] as const;

export const CORRECTED_ACTIVITIES = ["rest","availability","work","driving"] as const;

export const DRIVER_SERVICES = ["goods","regular-passengers","occasional-passengers"] as const;

export const TRACK_FORMATS = ["gpx","kml","geojson","csv"] as const;
