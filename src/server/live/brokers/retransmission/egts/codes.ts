// Facts: GOST R 54619-2011, appendix В; GOST 33472-2015, table А.14.

export const OK = 0;
export const IN_PROGRESS = 1;
export const SERVICE_DENIED = 149;
const REPEATED = 135;

const NAMES: Readonly<Record<number, string>> = {
  0: 'EGTS_PC_OK',
  1: 'EGTS_PC_IN_PROGRESS',
  128: 'EGTS_PC_UNS_PROTOCOL',
  129: 'EGTS_PC_DECRYPT_ERROR',
  130: 'EGTS_PC_PROC_DENIED',
  131: 'EGTS_PC_INC_HEADERFORM',
  132: 'EGTS_PC_INC_DATAFORM',
  133: 'EGTS_PC_UNS_TYPE',
  134: 'EGTS_PC_NOTEN_PARAMS',
  135: 'EGTS_PC_DBL_PROC',
  136: 'EGTS_PC_PROC_SRC_DENIED',
  137: 'EGTS_PC_HEADERCRC_ERROR',
  138: 'EGTS_PC_DATACRC_ERROR',
  139: 'EGTS_PC_INVDATALEN',
  140: 'EGTS_PC_ROUTE_NFOUND',
  141: 'EGTS_PC_ROUTE_CLOSED',
  142: 'EGTS_PC_ROUTE_DENIED',
  143: 'EGTS_PC_INVADDR',
  144: 'EGTS_PC_TTLEXPIRED',
  145: 'EGTS_PC_NO_ACK',
  146: 'EGTS_PC_OBJ_NFOUND',
  147: 'EGTS_PC_EVNT_NFOUND',
  148: 'EGTS_PC_SRVC_NFOUND',
  149: 'EGTS_PC_SRVC_DENIED',
  150: 'EGTS_PC_SRVC_UNKN',
  151: 'EGTS_PC_AUTH_DENIED',
  152: 'EGTS_PC_ALREADY_EXISTS',
  153: 'EGTS_PC_ID_NFOUND',
  154: 'EGTS_PC_INC_DATETIME',
  155: 'EGTS_PC_IO_ERROR',
  156: 'EGTS_PC_NO_RES_AVAIL',
  164: 'EGTS_PC_TEST_FAILED',
};

/** Permanent results of a record: wrong format or data, unknown object, wrong time. */
const REJECTED = new Set([130, 132, 133, 134, 136, 139, 146, 147, 150, 152, 153, 154]);

export const codeName = (code: number): string => `result ${code}${NAMES[code] ? ` (${NAMES[code]})` : ''}`;

/** A duplicate counts as accepted. */
export const isAccepted = (code: number): boolean => code === OK || code === REPEATED;

/** Whether the same record would be rejected again. All other results concern the receiver or the connection. */
export const isRejected = (code: number): boolean => REJECTED.has(code);
