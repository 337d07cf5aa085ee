// Stock OAuth libraries obtain tokens by client_secret_basic and client_secret_post, use them, and read refusals.
import './webcrypto.mjs';
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { ClientCredentials } from 'simple-oauth2';
import { startService } from './service.mjs';

const service = await startService();
after(() => service.stop());
const { baseUrl, client: { id, secret } } = service;
const TOKEN_PATH = '/v1/oauth/token';
const metadata = { issuer: baseUrl, token_endpoint: baseUrl + TOKEN_PATH };
const payers = new URL(`${baseUrl}/v1/metadata/payers?limit=1`);
const events = new URL(`${baseUrl}/v1/events`);
const insecure = { [oauth.allowInsecureRequests]: true };
const METHODS = ['ClientSecretBasic', 'ClientSecretPost'];

async function granted(method, parameters, key = secret) {
  const client = { client_id: id };
  const auth = oauth[method](key);
  const response = await oauth.clientCredentialsGrantRequest(metadata, client, auth, parameters, insecure);
  return oauth.processClientCredentialsResponse(metadata, client, response);
}

const resource = (token, url) => oauth.protectedResourceRequest(token, 'GET', url, undefined, undefined, insecure);

for (const method of METHODS) {
  test(`oauth4webapi obtains and uses a token by ${method}`, async () => {
    const token = await granted(method, { scope: 'metadata:read' });
    assert.deepEqual([token.token_type, token.scope, token.expires_in], ['bearer', 'metadata:read', 3600]);
    assert.equal((await resource(token.access_token, payers)).status, 200);
  });

  test(`openid-client obtains and uses a token by ${method}`, async () => {
    const config = new openid.Configuration(metadata, id, undefined, openid[method](secret));
    openid.allowInsecureRequests(config);
    const token = await openid.clientCredentialsGrant(config, { scope: 'metadata:read events:read' });
    assert.equal(token.scope, 'metadata:read events:read');
    assert.ok(token.expiresIn() > 3500);
    for (const url of [payers, events])
      assert.equal((await openid.fetchProtectedResource(config, token.access_token, url, 'GET')).status, 200);
  });
}

test('oauth4webapi reads the refusals of the token endpoint', async () => {
  const scope = await granted('ClientSecretPost', { scope: 'unknown:scope' }).then(assert.fail, (error) => error);
  assert.deepEqual([scope.constructor, scope.error, scope.status], [oauth.ResponseBodyError, 'invalid_scope', 400]);
  assert.ok(scope.error_description.length > 0);
  const wrong = await granted('ClientSecretBasic', {}, 'wrong').then(assert.fail, (error) => error);
  assert.deepEqual([wrong.constructor, wrong.status], [oauth.WWWAuthenticateChallengeError, 401]);
  assert.equal(wrong.cause[0].scheme, 'basic');
});

test('oauth4webapi reads the challenges of resources', async () => {
  const invalid = await resource('not-a-token', payers).then(assert.fail, (error) => error);
  assert.equal(invalid.status, 401);
  assert.deepEqual([invalid.cause[0].scheme, invalid.cause[0].parameters.error], ['bearer', 'invalid_token']);
  const { access_token: token } = await granted('ClientSecretPost', { scope: 'metadata:read' });
  const denied = await resource(token, events).then(assert.fail, (error) => error);
  assert.equal(denied.status, 403);
  const { error, scope } = denied.cause[0].parameters;
  assert.deepEqual([error, scope], ['insufficient_scope', 'events:read']);
});

const simple = (options, key = secret) =>
  new ClientCredentials({ client: { id, secret: key }, auth: { tokenHost: baseUrl, tokenPath: TOKEN_PATH }, options });

for (const authorizationMethod of ['header', 'body'])
  for (const bodyFormat of ['form', 'json'])
    test(`simple-oauth2 obtains and uses a token by ${authorizationMethod} and ${bodyFormat}`, async () => {
      const token = await simple({ authorizationMethod, bodyFormat }).getToken({ scope: 'metadata:read' });
      assert.equal(token.expired(), false);
      assert.equal(token.token.scope, 'metadata:read');
      const headers = { Authorization: `Bearer ${token.token.access_token}` };
      assert.equal((await fetch(payers, { headers })).status, 200);
      assert.equal((await fetch(events, { headers })).status, 403);
    });

test('simple-oauth2 reads a refusal', async () => {
  const refusal = await simple({}, 'wrong').getToken({}).then(assert.fail, (error) => error);
  assert.equal(refusal.output.statusCode, 401);
  assert.equal(refusal.data.payload.error, 'invalid_client');
});
