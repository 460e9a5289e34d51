// Extracts, from the code host's published description of its interface, the operations and webhooks
// that this service uses, into the fixture that the tests hold the fake code host against. The
// package is 385 MB large, hence no dependency. To take over a newer version:
//   npm pack @octokit/openapi@VERSION && tar xzf octokit-openapi-VERSION.tgz
//   node scripts/extract-description.js package && rm -r package octokit-openapi-VERSION.tgz
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const repository = '/repos/{owner}/{repo}'
const operations = [
  'GET /app',
  'GET /app/hook/config',
  'GET /app/hook/deliveries',
  'POST /app/hook/deliveries/{delivery_id}/attempts',
  'POST /app-manifests/{code}/conversions',
  'GET /app/installations',
  'GET /app/installations/{installation_id}',
  'POST /app/installations/{installation_id}/access_tokens',
  'GET /installation/repositories',
  `GET ${repository}`,
  `GET ${repository}/activity`,
  `GET ${repository}/branches`,
  `GET ${repository}/check-runs/{check_run_id}/annotations`,
  `GET ${repository}/collaborators/{username}/permission`,
  `GET ${repository}/commits/{ref}`,
  `GET ${repository}/commits/{ref}/check-runs`,
  `GET ${repository}/commits/{ref}/statuses`,
  `GET ${repository}/compare/{basehead}`,
  `GET ${repository}/contents/{path}`,
  `GET ${repository}/git/blobs/{file_sha}`,
  `GET ${repository}/git/trees/{tree_sha}`,
  `GET ${repository}/pulls/{pull_number}`,
  'GET /orgs/{org}/memberships/{username}',
  'GET /user',
  'GET /user/emails',
  'GET /user/installations',
  'GET /user/installations/{installation_id}/repositories',
  'GET /user/memberships/orgs',
  'GET /user/orgs',
  'GET /user/{account_id}',
  'GET /users/{username}',
  `PATCH ${repository}/check-runs/{check_run_id}`,
  `POST ${repository}/check-runs`,
  `POST ${repository}/statuses/{sha}`,
]
const webhooks =
  /^(?:push|create|delete|pull-request-(?:opened|reopened|synchronize|closed|edited|converted-to-draft|ready-for-review)|merge-group-.+|repository-(?:archived|created|deleted|edited|privatized|publicized|renamed|transferred|unarchived)|installation-.+|check-(?:run|suite)-rerequested|check-run-requested-action|member-.+|membership-.+|organization-.+|team-.+)$/

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('name the folder of the unpacked @octokit/openapi')
const read = (...names) => JSON.parse(readFileSync(path.join(folder, ...names), 'utf8'))
const { version } = read('package.json')
const { paths, components, 'x-webhooks': hooks } = read('generated', 'api.github.com.json')

// An account is a user or an enterprise. Of this list alone the description says that it is both,
// which no account can be, and which its own example is not.
const { account } =
  paths['/app/installations'].get.responses[200].content['application/json'].schema.items.properties
account.anyOf = account.allOf
delete account.allOf

const schemas = {}
const entries = (object = {}) => Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1))

/** A component instead of its reference, for those that are no schemas. */
const resolve = (part) =>
  part.$ref === undefined ? part : components[part.$ref.split('/')[2]][part.$ref.split('/')[3]]

/** As a JSON schema: OpenAPI 3.0 has a `nullable` of its own. Texts for people are left out. */
function schemaOf({ $ref, nullable, ...given }) {
  if ($ref !== undefined) return { $ref: `#/schemas/${keep($ref.split('/').at(-1))}` }
  const schema = {}
  for (const [key, value] of entries(given)) {
    if (['properties', 'patternProperties'].includes(key)) schema[key] = each(value)
    else if (['allOf', 'anyOf', 'oneOf'].includes(key)) schema[key] = value.map(schemaOf)
    else if (['items', 'additionalProperties', 'not'].includes(key))
      schema[key] = typeof value === 'object' ? schemaOf(value) : value
    else if (
      !/^(?:description|discriminator|title|examples?|default|format|deprecated|x-.*)$/.test(key)
    )
      schema[key] = value
  }
  return nullable ? { anyOf: [schema, { type: 'null' }] } : schema
}

const each = (named) =>
  Object.fromEntries(entries(named).map(([name, schema]) => [name, schemaOf(schema)]))

function keep(name) {
  if (!(name in schemas)) {
    schemas[name] = {}
    schemas[name] = schemaOf(components.schemas[name])
  }
  return name
}

const bodyOf = (part) => {
  const schema = part && resolve(part).content?.['application/json']?.schema
  return schema === undefined ? {} : { body: schemaOf(schema) }
}

function operationOf(line) {
  const [method, where] = line.split(' ')
  const { parameters: shared = [], [method.toLowerCase()]: operation } = paths[where]
  const parameters = [...shared, ...(operation.parameters ?? [])].map(resolve)
  const query = parameters.filter((each) => each.in === 'query')
  return {
    query: each(Object.fromEntries(query.map(({ name, schema }) => [name, schema]))),
    ...bodyOf(operation.requestBody),
    responses: Object.fromEntries(
      entries(operation.responses).map(([status, response]) => [status, bodyOf(response)]),
    ),
  }
}

const wanted = Object.keys(hooks).filter((name) => webhooks.test(name))
const description = {
  source: `@octokit/openapi ${version}, api.github.com`,
  operations: Object.fromEntries(operations.map((line) => [line, operationOf(line)])),
  webhooks: Object.fromEntries(
    wanted.toSorted().map((name) => [name, bodyOf(hooks[name].post.requestBody)]),
  ),
  schemas: {},
}
description.schemas = Object.fromEntries(entries(schemas))

// Webhooks have the times of an installation in seconds, as @octokit/webhooks-examples shows.
for (const time of ['created_at', 'updated_at']) {
  schemas.installation.properties[time] = { type: ['string', 'integer'] }
}

const target = new URL('../test/support/codehost/description.json', import.meta.url)
writeFileSync(target, `${JSON.stringify(description)}\n`)
