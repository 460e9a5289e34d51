import type { Site } from '../../core/context.ts'
import type { Endpoint } from '../../core/endpoint.ts'
import { infoOf } from '../../openapi/info.ts'
import type { DocumentedParameter, OpenApi, Operation } from '../../openapi/operation.ts'
import { besideBody, bodyOf } from '../../openapi/parameters.ts'
import { documentedPath, pathParameters, pathsOf } from '../../openapi/paths.ts'
import { integer, type JsonSchema } from '../../openapi/schema.ts'
import { securityOf, securitySchemes } from '../../openapi/security.ts'
import { responsesOf } from './responses.ts'
import { schemas } from './schemas.ts'

/** The document of V2.1 in OpenAPI 3.1, made of what its endpoints declare. */
export function openApi(
  endpoints: readonly Endpoint[],
  site: Pick<Site, 'url' | 'version'>,
): OpenApi {
  return {
    openapi: '3.1.0',
    info: infoOf('V2.1', site, description),
    servers: [{ url: site.url }],
    paths: pathsOf(endpoints.map(mounted), operationOf),
    components: { securitySchemes, schemas },
  }
}

/** The rules for all calls. */
export const general =
  'The legacy generation, chosen by `Accept: application/vnd.service.2.1+json` or by no version at ' +
  'all. Every GET also works as HEAD, a slash at the end of a path is ignored, and `pretty` and ' +
  '`callback` format JSON responses. Parameters of writes can be in the query or in the body, unless ' +
  'that can only be JSON; in queries and forms `hook[active]=true` is the member `active` of `hook`.'

/** Remarks on calls that their declarations do not contain; the page shows them too. */
export const remarks: readonly string[] = [
  'The `host` of `GET /config` has the path of the installation, so that `https://{host}/{slug}` is a page.',
  'Logs are sent in parts where `Accept` has the parameter `chunked`, as in ' +
    '`application/json; chunked=true`: all that there are, or those that `after` or `part_numbers` ' +
    'name. The log of a finished job is sent so only where `Accept` has no other type that fits.',
  'Without an app (local mode) the `codehost_token` of `POST /auth/codehost` is a token of this ' +
    'service, and the `api_url` of `GET /config` an address of this service.',
  'Where the operator has set `RATE_LIMITS`, every call can get 429 and `Retry-After`.',
  'Lists of caches are empty, because jobs do not store caches yet.',
  'No log is archived yet: all are sent inline, and `/jobs/{job}/log` never redirects with 307.',
]

const description = [general, ...remarks.map((remark) => `- ${remark}`)].join('\n')

const mounted = (endpoint: Endpoint) => ({
  of: endpoint,
  method: endpoint.method,
  paths: endpoint.paths.map(documentedPath),
})

function operationOf(endpoint: Endpoint, path: string): Operation {
  const { method, declared } = endpoint
  const requestBody = bodyOf(endpoint)
  const [, first = ''] = path.split('/')
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/\W+/g, '_')}`.replace(/_$/, ''),
    tags: [first === '' ? 'home' : first],
    ...(declared.summary === undefined ? {} : { summary: declared.summary }),
    security: securityOf(endpoint),
    parameters: [...pathParameters(path, knownOf), ...besideBody(endpoint)],
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: responsesOf(endpoint),
  }
}

type Known = Pick<DocumentedParameter, 'description' | 'example'> & { schema?: JsonSchema }

const byId = (type: string): Known => ({
  description: `the id of a ${type}`,
  example: 1,
  schema: integer,
})

/** Descriptions of the variables of paths. */
const variables: Readonly<Record<string, Known>> = {
  build: byId('build'),
  env_var: { description: 'the id of a variable', example: '00000000-0000-4000-8000-000000000001' },
  hook: byId('repository'),
  job: byId('job'),
  link: { description: 'the end of a link in a mail' },
  log: byId('log'),
  provider: { description: 'codehost, github or local' },
  repository: byId('repository'),
  request: byId('request'),
  user: byId('user'),
  id: { description: 'the id of a repository, or its slug with an escaped slash', example: '1' },
  owner: { description: 'the name of a repository’s owner', example: 'octavia' },
  name: { description: 'the name of the repository', example: 'hello' },
  branch: { description: 'the name of a branch, with its slashes', example: 'main' },
}

const knownOf = (name: string): Known => variables[name] ?? {}
