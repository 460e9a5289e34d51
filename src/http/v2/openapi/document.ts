import type { Site } from '../../context.ts'
import type { Endpoint } from '../../endpoint.ts'
import type { OpenApi, Operation } from '../../openapi/operation.ts'
import { bodyOf, queryOf } from '../../openapi/parameters.ts'
import { pathParameters, pathsOf } from '../../openapi/paths.ts'
import { securityOf, securitySchemes } from '../../openapi/security.ts'
import { responsesOf } from './responses.ts'
import { schemas } from './schemas.ts'

/** The document of V2.1 in OpenAPI 3.1, made of what its endpoints declare. */
export function openApi(
  endpoints: readonly Endpoint[],
  { url, version }: Pick<Site, 'url' | 'version'>,
): OpenApi {
  return {
    openapi: '3.1.0',
    info: { title: 'build-service, API V2.1', version, description },
    servers: [{ url }],
    paths: pathsOf(endpoints, (endpoint) => endpoint, operationOf),
    components: { securitySchemes, schemas },
  }
}

const general =
  'The legacy generation, chosen by `Accept: application/vnd.service.2.1+json` or by no version at ' +
  'all. Every GET is HEAD as well, a slash at the end of a path is ignored, and `pretty` and ' +
  '`callback` format what is JSON. Parameters of writes can be in the query or in the body.'

/** What is to be known of calls that their declarations do not say, the page says as well. */
export const remarks: readonly string[] = [
  'The `host` of `GET /config` has the path of the installation, so that `https://{host}/{slug}` is a page.',
  'Where the operator has set `RATE_LIMITS`, every call can get 429 and `Retry-After`.',
  'The settings `auto_cancel_pushes` and `auto_cancel_pull_requests` can be set, but have no effect yet.',
  'Lists of caches are empty, since no job fills one yet.',
  'Channels are signed (`POST /streaming/auth`), but nothing is streamed yet.',
  'No log is archived yet: all are sent inline, and `/jobs/{job}/log` never redirects with 307.',
  'There are no status images and no feeds (`cc.xml`, `builds.atom`) yet.',
]

const description = [general, ...remarks.map((remark) => `- ${remark}`)].join('\n')

function operationOf(endpoint: Endpoint, path: string): Operation {
  const { method, declared } = endpoint
  const requestBody = bodyOf(endpoint)
  const [, first = ''] = path.split('/')
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/\W+/g, '_')}`.replace(/_$/, ''),
    tags: [first === '' ? 'home' : first],
    ...(declared.summary === undefined ? {} : { summary: declared.summary }),
    security: securityOf(endpoint),
    parameters: [...pathParameters(path, describerOf(path)), ...queryOf(endpoint)],
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: responsesOf(endpoint),
  }
}

const inRepositoryPaths: Readonly<Record<string, string>> = {
  id: 'the id of a repository, or its slug with an escaped slash',
  owner: 'the name of the repository’s owner',
  name: 'the name of the repository',
  rest: 'the name of a branch, with its slashes',
}

function describerOf(path: string) {
  return (name: string) => (path.startsWith('/repos/') ? inRepositoryPaths[name] : undefined)
}
