import type { Site } from '../../context.ts'
import type { DocumentedParameter, OpenApi, Operation } from '../../openapi/operation.ts'
import { bodyOf, queryOf } from '../../openapi/parameters.ts'
import { pathParameters, pathsOf } from '../../openapi/paths.ts'
import { oneOf, text } from '../../openapi/schema.ts'
import { securityOf, securitySchemes } from '../../openapi/security.ts'
import { type Action, expressionsIn, shownBy } from '../action.ts'
import { offeredRepresentations } from '../resource.ts'
import { responsesOf } from './responses.ts'
import { schemas } from './schemas.ts'

/** The document of V3 in OpenAPI 3.1, made of its actions, and of what its resources show. */
export function openApi(
  actions: readonly Action[],
  { url, version }: Pick<Site, 'url' | 'version'>,
): OpenApi {
  return {
    openapi: '3.1.0',
    info: { title: 'build-service, API V3', version, description },
    servers: [{ url: `${url}/v3` }],
    paths: distinct(pathsOf(actions, ({ endpoint }) => endpoint, operationOf)),
    components: { securitySchemes, schemas },
  }
}

/**
 * To OpenAPI paths that differ in the name of a parameter alone are one: a preview is described by the one
 * word that the home document lists for it.
 */
function distinct(paths: OpenApi['paths']): OpenApi['paths'] {
  return Object.fromEntries(
    Object.entries(paths).filter(([path]) => !path.endsWith('/request/{preview}')),
  )
}

const description =
  'The current generation, chosen by its path, by `Service-API-Version: 3` or by ' +
  '`Accept: application/vnd.service.3+json`. Every GET is HEAD as well. Any response can have ' +
  '`@warnings`. Parameters of writes are read from JSON or a form, as `type.name`, nested or plain.'

function operationOf(action: Action, path: string, variant: number): Operation {
  const { resource, name, endpoint } = action
  const requestBody = bodyOf(endpoint)
  return {
    operationId: `${resource}_${name}${variant === 0 ? '' : `_${variant + 1}`}`,
    tags: [resource],
    summary: endpoint.declared.summary ?? `${resource}: ${name.replaceAll('_', ' ')}`,
    security: securityOf(endpoint),
    parameters: [
      ...pathParameters(path, describerOf(action)),
      ...queryOf(endpoint),
      ...shownParameters(action),
    ],
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: responsesOf(endpoint),
  }
}

/** What each parameter of a path can be: `{repository}` is `repository.id` or `repository.slug`. */
function describerOf({ templates }: Action) {
  const forms = [...new Set(templates.flatMap(expressionsIn))]
  return (name: string) => ({
    description: forms
      .filter((form) => form.split('.')[0] === name)
      .map((form) => (form.endsWith('.slug') ? `${form} with its slash as %2F` : form))
      .join(', or '),
  })
}

/** Those by which a caller says how records are shown. */
function shownParameters({ endpoint }: Action): DocumentedParameter[] {
  const inQuery = { in: 'query', required: false } as const
  const shown = shownBy(endpoint)
  const lists = shown.flatMap((each) => ('collection' in each ? [each.collection] : []))
  const names = lists.flatMap(({ of }) => offeredRepresentations(of))
  const include = {
    ...inQuery,
    name: 'include',
    description: 'attributes to show besides, or in full: type.attribute, separated by commas',
    schema: text,
  }
  const representation = {
    ...inQuery,
    name: 'representation',
    description: 'what is shown of each entry; standard by default',
    schema: oneOf(names),
  }
  return [...(shown.length === 0 ? [] : [include]), ...(names.length === 0 ? [] : [representation])]
}
