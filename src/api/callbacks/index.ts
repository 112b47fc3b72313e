export { addCallbackRoutes } from './routes.ts';
export { type CallbackSender, createCallbackSender } from './sender.ts';
export { newSecret, signatureHeaders } from './signature.ts';
export { forgetDeliveries, readSecret, watchPending } from './store.ts';
