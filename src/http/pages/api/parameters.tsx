import type { Operation, RequestBody } from '../../openapi/operation.ts'
import type { JsonSchema } from '../../openapi/schema.ts'
import { Prose } from '../parts/prose.tsx'
import { wordsFor } from '../parts/schema-words.ts'
import { Table } from '../parts/table.tsx'

interface Row {
  name: string
  place: string
  required: boolean
  schema: JsonSchema
  description: string | undefined
}

/** The parameters of a call; nothing if it has none. */
export function Parameters({ operation }: { operation: Operation }) {
  const rows = rowsOf(operation)
  if (rows.length === 0) return null
  return (
    <Table caption="Parameters" columns={['Parameter', 'Where', 'Holds']}>
      {rows.map(({ name, place, required, schema, description }) => (
        <tr>
          <th scope="row">
            <code>{name}</code>
            {required && ' (required)'}
          </th>
          <td data-name="Where">{place}</td>
          <td data-name="Holds">
            {holds(schema)}
            {description !== undefined && <Prose text={`: ${description}`} />}
          </td>
        </tr>
      ))}
    </Table>
  )
}

function rowsOf({ parameters, requestBody }: Operation): Row[] {
  const [body] = Object.values(requestBody?.content ?? {})
  return [
    ...parameters.map(({ name, in: place, required, schema, description }) => ({
      name,
      place,
      required,
      schema,
      description: description ?? textIn(schema.description),
    })),
    ...(requestBody && body ? membersOf(body.schema, placeOf(requestBody)) : []),
  ]
}

/** Members of members are named as queries and forms write them. */
function membersOf(schema: JsonSchema, place: string, outer?: string): Row[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const required = (schema.required ?? []) as readonly string[]
  return properties.flatMap(([key, member]) => {
    const name = outer === undefined ? key : `${outer}[${key}]`
    if (member.properties !== undefined) return membersOf(member, place, name)
    const description = textIn(member.description)
    return [{ name, place, required: required.includes(key), schema: member, description }]
  })
}

function placeOf({ content }: RequestBody): string {
  return Object.keys(content).length === 1 ? 'body in JSON' : 'body or query'
}

function textIn(description: unknown): string | undefined {
  return typeof description === 'string' ? description : undefined
}

function holds(schema: JsonSchema): string {
  const { minimum, maximum, default: usual } = schema
  return [
    wordsFor(schema),
    ...(minimum === undefined ? [] : [`at least ${JSON.stringify(minimum)}`]),
    ...(maximum === undefined ? [] : [`at most ${JSON.stringify(maximum)}`]),
    ...(usual === undefined ? [] : [`${JSON.stringify(usual)} by default`]),
  ].join(', ')
}
