import type { Endpoint } from '../../endpoint.ts'
import type { OpenApi, Operation } from './operation.ts'
import { bodyOf, queryOf } from './parameters.ts'
import { documentedPath, pathParameters } from './paths.ts'
import { responsesOf } from './responses.ts'

interface Installation {
  url: string
  version: string
}

/** The document of V2.1 in OpenAPI 3.1, made of what its endpoints declare. */
export function openApi(endpoints: readonly Endpoint[], { url, version }: Installation): OpenApi {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const endpoint of endpoints) {
    for (const path of endpoint.paths.map(documentedPath)) {
      const operations = (paths[path] ??= {})
      operations[endpoint.method.toLowerCase()] = operationOf(endpoint, path)
    }
  }
  const sorted = Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    openapi: '3.1.0',
    info: { title: 'build-service, API V2.1', version, description },
    servers: [{ url }],
    paths: Object.fromEntries(sorted),
    components: { securitySchemes },
  }
}

const description =
  'The legacy generation, chosen by `Accept: application/vnd.service.2.1+json` or by no version at ' +
  'all. Every GET is HEAD as well, a slash at the end of a path is ignored, and `pretty` and ' +
  '`callback` format what is JSON. Parameters of writes can be in the query or in the body.'

const securitySchemes = {
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`token <access token>`; `Bearer <access token>` is the same',
  },
  basic: { type: 'http', scheme: 'basic', description: 'the access token is the user’s name' },
}

const withToken = [{ token: [] }, { basic: [] }]

function operationOf(endpoint: Endpoint, path: string): Operation {
  const { method, admission, declared } = endpoint
  const content = bodyOf(endpoint)
  const [, first = ''] = path.split('/')
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/\W+/g, '_')}`.replace(/_$/, ''),
    tags: [first === '' ? 'home' : first],
    ...(declared.summary === undefined ? {} : { summary: declared.summary }),
    security: admission.login ? withToken : [{}, ...withToken],
    parameters: [...pathParameters(path), ...queryOf(endpoint)],
    ...(content === undefined ? {} : { requestBody: { required: false, content } }),
    responses: responsesOf(endpoint),
  }
}
