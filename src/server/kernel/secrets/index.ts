export { addKey, openSecrets, removeOldKeys } from './key-file.ts';
export { createSecrets, type Secrets, SecretsError } from './keyring.ts';
export { discardUnreadable, openValue, sealStored, sealValue } from './stored.ts';
