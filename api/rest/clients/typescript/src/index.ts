import type { components } from './openapi.js';

export { createTideoverClient } from './client.js';
export type { Call, ClientOptions, Item, List, ListPath, TideoverClient } from './client.js';
export { TideoverError } from './errors.js';
export type { ErrorCode } from './errors.js';
export { formatCents, toAmount, toCents } from './money.js';
export type { Cents } from './money.js';
export type { RetryPolicy } from './retry.js';
export { verifyWebhook, WebhookVerificationError } from './webhooks.js';
export type { EventKind, EventOf, VerifyOptions, WebhookEvent } from './webhooks.js';
export type { components, operations, paths } from './openapi.js';

/** Every schema of the API, such as `Schemas['Settlement']`. */
export type Schemas = components['schemas'];
