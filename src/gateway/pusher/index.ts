export { apiTarget } from './api-target.ts';
export { pushTarget } from './push-target.ts';
export { createPusher, type Pusher } from './pusher.ts';
