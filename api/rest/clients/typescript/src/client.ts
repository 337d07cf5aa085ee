import createClient from 'openapi-fetch';
import type { Client, ClientPathsWithMethod, MaybeOptionalInit, MethodResponse } from 'openapi-fetch';
import type { components, paths } from './openapi.js';
import { createTransport } from './transport.js';
import type { TransportOptions } from './transport.js';

export type ClientOptions = TransportOptions;

type Api = Client<paths, 'application/json'>;
type Method = 'get' | 'post' | 'patch' | 'delete';
type PathOf<M extends Method> = ClientPathsWithMethod<Api, M>;

/** Optional where the operation requires neither parameters nor a body. */
type Init<I> = undefined extends I ? [init?: I] : [init: I];

type WhatIf = components['schemas']['WhatIfReview'];

/** The data of a response. A claim review is compared, and not made, if the query has `what_if: true`. */
type Data<M extends Method, P extends PathOf<M>, I extends MaybeOptionalInit<paths[P], M>> =
  I extends { params: { query: { what_if: true } } }
    ? Extract<MethodResponse<Api, M, P, I>, WhatIf>
    : Exclude<MethodResponse<Api, M, P, I>, WhatIf>;

/** Sends one operation. Throws TideoverError unless the response is 2xx. */
export type Call<M extends Method> = <P extends PathOf<M>, I extends MaybeOptionalInit<paths[P], M>>(
  path: P,
  ...init: Init<I>
) => Promise<{ data: Data<M, P, I>; response: Response }>;

interface Page<T> {
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

type PageOf<P extends PathOf<'get'>> = MethodResponse<Api, 'get', P>;

export type ListPath = { [P in PathOf<'get'>]: PageOf<P> extends Page<unknown> ? P : never }[PathOf<'get'>];
export type Item<P extends ListPath> = PageOf<P> extends Page<infer T> ? T : never;

/** Iterates over the rows of all pages. Reads a page when its first row is needed. */
export type List = <P extends ListPath, I extends MaybeOptionalInit<paths[P], 'get'>>(
  path: P,
  ...init: Init<I>
) => AsyncGenerator<Item<P>, void, undefined>;

export interface TideoverClient {
  get: Call<'get'>;
  post: Call<'post'>;
  patch: Call<'patch'>;
  delete: Call<'delete'>;
  list: List;
}

export function createTideoverClient(options: ClientOptions): TideoverClient {
  const api = createClient<paths, 'application/json'>({ baseUrl: options.baseUrl, fetch: createTransport(options) });
  // The transport throws for every other status: a result always has data.
  const get = api.GET as Call<'get'>;
  return {
    get,
    post: api.POST as Call<'post'>,
    patch: api.PATCH as Call<'patch'>,
    delete: api.DELETE as Call<'delete'>,
    list: ((path, init) => rows(get as unknown as GetPage, path, init ?? {})) as List,
  };
}

interface PageInit {
  params?: { query?: Record<string, unknown> };
}

type GetPage = (path: string, init: PageInit) => Promise<{ data: Page<unknown> }>;

async function* rows(get: GetPage, path: string, init: PageInit): AsyncGenerator<unknown, void, undefined> {
  let query = init.params?.query ?? {};
  for (;;) {
    const { data: page } = await get(path, { ...init, params: { ...init.params, query } });
    yield* page.data;
    if (!page.has_more || page.next_cursor === null) return;
    query = { ...query, cursor: page.next_cursor };
  }
}
