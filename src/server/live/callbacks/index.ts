export { addCallbackRoutes } from './routes.ts';
export { createSigningSecrets } from './secret.ts';
export { type CallbackSender, createCallbackSender } from './sender.ts';
export { signatureHeaders } from './signature.ts';
export { forgetDeliveries, watchPending } from './store.ts';
