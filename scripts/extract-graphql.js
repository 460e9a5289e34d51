// Checks the query that this service sends in GraphQL against the code host's published schema, and
// writes what its answers look like into the fixture that the tests hold the fake code host against.
// The package is 5 MB large and used by nothing else, hence no dependency. After changing the query,
// or to take over a newer version:
//   npm install --prefix SCRATCH @octokit/graphql-schema@VERSION graphql@16
//   node --import tsx scripts/extract-graphql.js SCRATCH
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { tagsQuery } from '../src/codehost/app/tags.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined)
  throw new Error('name the folder that @octokit/graphql-schema is installed in')
const root = path.resolve(folder, 'node_modules')
const graphql = createRequire(`${root}/`)('graphql')
const read = (...names) =>
  readFileSync(path.join(root, '@octokit/graphql-schema', ...names), 'utf8')
const { version } = JSON.parse(read('package.json'))
// Version 15.26.1 defines two fields of a type twice, which we do not use.
const schema = graphql.buildSchema(read('schema.graphql'), { assumeValidSDL: true })

const document = graphql.parse(tagsQuery)
const problems = graphql.validate(schema, document)
if (problems.length > 0) throw new Error(problems.map(String).join('\n'))
const [operation] = document.definitions

const scalars = { Int: 'integer', Float: 'number', Boolean: 'boolean' }

/** As a JSON schema: what a value of a type looks like, of which these fields are asked for. */
function schemaOf(type, selections) {
  if (!graphql.isNonNullType(type)) {
    return { anyOf: [schemaOf(new graphql.GraphQLNonNull(type), selections), { type: 'null' }] }
  }
  const { ofType } = type
  if (graphql.isListType(ofType)) {
    return { type: 'array', items: schemaOf(ofType.ofType, selections) }
  }
  if (graphql.isEnumType(ofType)) return { enum: ofType.getValues().map(({ name }) => name) }
  if (graphql.isLeafType(ofType)) return { type: scalars[ofType.name] ?? 'string' }
  const objects = graphql.isAbstractType(ofType) ? schema.getPossibleTypes(ofType) : [ofType]
  const [only, ...others] = objects.map((object) => objectSchema(object, selections))
  return others.length === 0 ? only : { anyOf: [only, ...others] }
}

function objectSchema(object, selections) {
  const fields = fieldsOf(object, selections)
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    required: fields.map(([name]) => name),
    additionalProperties: false,
  }
}

function fieldsOf(object, { selections }) {
  return selections.flatMap((each) => {
    if (each.kind === 'InlineFragment') {
      const condition = schema.getType(each.typeCondition.name.value)
      const isMeant = condition === object || schema.isSubType?.(condition, object)
      return isMeant ? fieldsOf(object, each.selectionSet) : []
    }
    const name = each.name.value
    if (name === '__typename') return [[name, { const: object.name }]]
    return [[name, schemaOf(object.getFields()[name].type, each.selectionSet)]]
  })
}

const variables = operation.variableDefinitions.map(({ variable, type }) => [
  variable.name.value,
  schemaOf(graphql.typeFromAST(schema, type)),
])
const described = {
  source: `@octokit/graphql-schema ${version}`,
  operations: {
    'POST /graphql': {
      query: {},
      body: {
        type: 'object',
        properties: {
          query: { const: tagsQuery },
          variables: {
            type: 'object',
            properties: Object.fromEntries(variables),
            required: variables.map(([name]) => name),
            additionalProperties: false,
          },
        },
        required: ['query', 'variables'],
      },
      responses: {
        200: {
          body: {
            type: 'object',
            properties: {
              data: {
                anyOf: [
                  objectSchema(schema.getQueryType(), operation.selectionSet),
                  { type: 'null' },
                ],
              },
              errors: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: { message: { type: 'string' } },
                  required: ['message'],
                },
              },
            },
            required: ['data'],
            additionalProperties: false,
          },
        },
      },
    },
  },
}

const target = new URL('../test/support/codehost/graphql-description.json', import.meta.url)
writeFileSync(target, `${JSON.stringify(described)}\n`)
