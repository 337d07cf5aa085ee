// Node.js 18 has these only in node:crypto.
import { webcrypto } from 'node:crypto';

globalThis.crypto ??= webcrypto;
globalThis.CryptoKey ??= webcrypto.CryptoKey;
