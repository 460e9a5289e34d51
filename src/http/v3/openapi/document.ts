import type { Site } from '../../core/context.ts'
import { infoOf } from '../../openapi/info.ts'
import type { DocumentedParameter, OpenApi, Operation } from '../../openapi/operation.ts'
import { besideBody, bodyOf } from '../../openapi/parameters.ts'
import { pathParameters, pathsOf } from '../../openapi/paths.ts'
import { oneOf, text } from '../../openapi/schema.ts'
import { securityOf, securitySchemes } from '../../openapi/security.ts'
import { type Action, expressionsIn, shownBy } from '../core/action.ts'
import { offeredRepresentations } from '../core/resource.ts'
import { responsesOf } from './responses.ts'
import { schemas } from './schemas.ts'

/** The document of V3 in OpenAPI 3.1, made of its actions and resources. */
export function openApi(actions: readonly Action[], site: Pick<Site, 'url' | 'version'>): OpenApi {
  return {
    openapi: '3.1.0',
    info: infoOf('V3', site, description),
    servers: [{ url: `${site.url}/v3` }],
    paths: pathsOf(actions.map(mounted), operationOf),
    components: { securitySchemes, schemas },
  }
}

/** An action at the paths that the home document lists; other paths that reach it are not documented. */
const mounted = (action: Action) => ({
  of: action,
  method: action.endpoint.method,
  paths: [...new Set(action.templates.map(pathOfTemplate))],
})

/** `/repo/{repository}` of `/repo/{repository.id}`. */
const pathOfTemplate = (template: string) => template.replaceAll(/\{(\w+)\.\w+\}/g, '{$1}')

const description =
  'The current generation, chosen by its path, by `Service-API-Version: 3` or by ' +
  '`Accept: application/vnd.service.3+json`. Every GET also works as HEAD. Any response can have ' +
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
      ...besideBody(endpoint),
      ...shownParameters(action),
    ],
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: responsesOf(endpoint, path),
  }
}

/** Describes what a path parameter can be: `{repository}` is `repository.id` or `repository.slug`. */
function describerOf({ templates }: Action) {
  const forms = [...new Set(templates.flatMap(expressionsIn))]
  return (name: string) => ({
    description: forms
      .filter((form) => form.split('.')[0] === name)
      .map((form) => (form.endsWith('.slug') ? `${form} with its slash as %2F` : form))
      .join(', or '),
  })
}

/** The parameters with which a caller chooses how records are shown. */
function shownParameters({ endpoint }: Action): DocumentedParameter[] {
  const inQuery = { in: 'query', required: false } as const
  const shown = shownBy(endpoint)
  const lists = shown.flatMap((each) => ('collection' in each ? [each.collection] : []))
  const names = lists.flatMap(({ of }) => offeredRepresentations(of))
  const include = {
    ...inQuery,
    name: 'include',
    description: 'attributes to include, or to show in full: type.attribute, separated by commas',
    schema: text,
  }
  const representation = {
    ...inQuery,
    name: 'representation',
    description: 'representation of each entry; standard by default',
    schema: oneOf(names),
  }
  return [...(shown.length === 0 ? [] : [include]), ...(names.length === 0 ? [] : [representation])]
}
