import { fromLatin1, type SimulatedFix, type Simulator } from '#codec';
import { httpRequest, readHttpReply } from '#codec/http';

const MAX_FIXES = 50;

const message = ({ time, latitude, longitude }: SimulatedFix, id: string): string =>
  `<message><id>1</id><esn>${id}</esn><esnName>${id}</esnName><messageType>UNLIMITED-TRACK</messageType>` +
  `<timestamp>${new Date(time).toISOString()}</timestamp><latitude>${latitude.toFixed(5)}</latitude>` +
  `<longitude>${longitude.toFixed(5)}</longitude><batteryState>GOOD</batteryState></message>`;

export const simulator: Simulator = {
  fixesPerReport: MAX_FIXES,
  report(fixes, id) {
    const header = `<header><totalCount>${fixes.length}</totalCount><mode>LIVE</mode></header>`;
    const list = `<messageList>${header}${fixes.map((fix) => message(fix, id)).join('')}</messageList>`;
    const body = fromLatin1(`<?xml version="1.0" encoding="UTF-8"?>${list}`);
    return httpRequest('POST', '/', { 'content-type': 'text/xml' }, body);
  },
  read: readHttpReply,
};
